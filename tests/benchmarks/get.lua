dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "figures.lua")
wrong = 0

function init(arguments)
  expected = tonumber(arguments[1])
end

function response(status)
  if status ~= expected then wrong = wrong + 1 end
end
