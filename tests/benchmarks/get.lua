dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "figures.lua")
wrong, turn, questions = 0, os.time() * 1000, {}

function init(arguments)
  expected = tonumber(arguments[1])
  for line in arguments[2] and io.lines(arguments[2]) or function() end do
    table.insert(questions, line)
  end
end

-- "QUESTION" in an address is another line of the file each time, so that nothing kept answers it.
function request()
  turn = turn + 1
  return wrk.format(nil, #questions > 0 and wrk.path:gsub("QUESTION", questions[turn % #questions + 1]) or wrk.path)
end

function response(status)
  if status ~= expected then wrong = wrong + 1 end
end
