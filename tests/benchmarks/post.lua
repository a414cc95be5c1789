dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "figures.lua")
wrong, tokens, turn = 0, {}, 0

function init(arguments)
  for token in io.lines(arguments[1]) do table.insert(tokens, token) end
  origin = arguments[2]
end

function request()
  turn = turn + 1
  local token = tokens[turn % #tokens + 1]
  local headers = {
    ["Cookie"] = "hallway=" .. token,
    ["Origin"] = origin,
    ["HX-Request"] = "true",
    ["Content-Type"] = "application/x-www-form-urlencoded",
  }
  return wrk.format("POST", nil, headers, "on=" .. (math.floor(turn / #tokens) + 1) % 2)
end

function response(status)
  if status ~= 200 then wrong = wrong + 1 end
end
