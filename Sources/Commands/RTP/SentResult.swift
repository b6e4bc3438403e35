import Engine
import JSON
import MediaStreams
import RTPSessions

/// Result of `rtp send`.
struct SentResult {
  /// Name of the codec.
  let codec: String
  let counters: RTPSendSession.Counters
  let startNanoseconds: Int
  let endNanoseconds: Int

  var text: String {
    "\(counters.packets) packets, \(counters.payloadBytes) bytes of \(codec), \(counters.failures) failures, "
      + "\(counters.unreachable) unreachable, \(counters.retransmitted) sent again; " + heard + outages
  }

  func write(_ json: inout JSONWriter) {
    json.field("schema", 1)
    json.field("packets", counters.packets)
    json.field("payload_bytes", counters.payloadBytes)
    json.field("failures", counters.failures)
    json.field("unreachable", counters.unreachable)
    json.field("retransmitted", counters.retransmitted)
    json.field("reports", counters.reports)
    json.field("refused", counters.refused)
    json.field("judged", counters.judged.due)
    json.field("lost", counters.judged.lost)
    if let loss = counters.fractionLost { json.field("fraction_lost", loss, decimals: 4) }
    if let trip = counters.roundTripMilliseconds { json.field("round_trip_ms", trip, decimals: 3) }
    json.field("outage_count", counters.outageCount)
    json.array("outages") { json in
      for outage in counters.outages {
        json.object { json in
          json.field("time_s", seconds(outage.beginNanoseconds), decimals: 3)
          json.field("duration_s", duration(outage), decimals: 3)
        }
      }
    }
  }

  /// Text of the receiver's reports, if any.
  private var heard: String {
    guard counters.reports > 0 else {
      if counters.refused > 0 {
        return "\(counters.refused) reports came that the key does not open, so the loss is not known"
      }
      return counters.fractionLost == 1
        ? "no report came, and in the end no program took the packets" : "no report came, so the loss is not known"
    }
    let end =
      counters.fractionLost.map { "\(JSONWriter.digits(100 * $0, 1)) % in the end" } ?? "no report in the end"
    let loss = ", \(counters.judged.lost) of \(counters.judged.due) packets lost, \(end)"
    let trip = counters.roundTripMilliseconds.map { ", round trip \(JSONWriter.digits($0, 1)) ms" } ?? ""
    return "\(counters.reports) reports\(loss)\(trip)"
  }

  private var outages: String {
    guard let first = counters.outages.first else { return "" }
    let total = JSONWriter.digits(counters.outages.reduce(0) { $0 + duration($1) }, 1)
    let begin = JSONWriter.digits(seconds(first.beginNanoseconds), 1)
    guard counters.outageCount > 1 else { return "; no receiver heard it for \(total) s from \(begin) s on" }
    return "; no receiver heard it \(counters.outageCount) times, for \(total) s in all, first from \(begin) s on"
  }

  private func seconds(_ nanoseconds: Int) -> Double { Double(max(0, nanoseconds - startNanoseconds)) / 1e9 }

  private func duration(_ outage: RTPSendSession.Outage) -> Double {
    seconds(outage.endNanoseconds ?? endNanoseconds) - seconds(outage.beginNanoseconds)
  }
}
