dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "figures.lua")
wrong, turn = 0, os.time() * 10000

function init(arguments)
  expected = tonumber(arguments[1])
end

-- "TURN" in an address is another number each time, so that nothing kept answers it.
function request()
  turn = turn + 1
  return wrk.format(nil, (wrk.path:gsub("TURN", turn)))
end

function response(status)
  if status ~= expected then wrong = wrong + 1 end
end
