import JSON
import RelayClient
import RelayLoad

/// Fields that the result and the lines of a load share.
enum LoadLine {
  /// Returns the line of a second.
  static func text(_ second: LoadSecond) -> String {
    var json = JSONWriter()
    json.object { json in
      json.field("time_s", second.number)
      json.field("joined", second.joinedCount)
      write(second.counts, to: &json)
      write(second.delays, to: &json)
    }
    return json.text
  }

  /// Writes counts.
  static func write(_ counts: LoadCounts, to json: inout JSONWriter) {
    json.field("sent", counts.sent)
    json.field("unsent", counts.unsent)
    json.field("expected", counts.expected)
    json.field("received", counts.received)
    json.field("duplicated", counts.duplicated)
    json.field("out_of_order", counts.outOfOrder)
    json.field("rejoins", counts.rejoins)
    if counts.expectedBeginnings > 0 {
      json.field("expected_beginnings", counts.expectedBeginnings)
      json.field("received_beginnings", counts.receivedBeginnings)
    }
  }

  /// Writes delays; null without delays.
  static func write(_ delays: DelayDistribution, to json: inout JSONWriter) {
    json.object("delay_ms") { json in
      for (name, quantile) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1)] {
        let delay = Double(delays.nanoseconds(atQuantile: quantile)) / 1e6
        json.field(name, delays.count == 0 ? .nan : delay, decimals: 3)
      }
    }
  }
}
