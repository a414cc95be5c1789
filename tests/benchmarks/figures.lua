-- What both scripts tell at the end. Threads cannot share a table, so each counts for itself.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function done(summary, latency, requests)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("wrong")
  end
  io.write(string.format(
    'FIGURES {"per_second": %.2f, "median": %.3f, "late": %.3f, "wrong": %d}\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(95) / 1000, wrong
  ))
end
