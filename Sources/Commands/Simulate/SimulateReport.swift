import AudioGraph
import CallSimulation
import Engine
import JSON
import MediaStreams
import NetworkSimulation
import RTP
import Signalling
import SoundOptions

/// Result of a simulated call, for programs and for people.
struct SimulateReport {
  let call: SimulatedCall
  let result: CallResult

  /// The result as one JSON object; it depends on the arguments alone.
  var json: String {
    var json = JSONWriter()
    json.object { write(&$0) }
    return json.text
  }

  /// Table with a line for each direction.
  var table: String {
    let hasChannels = result.listeners.contains { $0.heard.contains { $0.channel != nil } }
    var lines = [
      "listener  hears  packets    lost  recovered  retransmitted  concealed  delay ms  buffer ms   MOS"
        + (hasChannels ? "  channel\n" : "\n")
    ]
    for listener in result.listeners {
      for heard in listener.heard {
        let sent = max(1, heard.packetsSent)
        let cells = [
          (listener.uid == 0 ? "silent" : "\(listener.uid)", 8), ("\(heard.uid)", 7),
          ("\(heard.statistics.packetsReceived)", 9),
          (percent(heard.packetsLost, of: sent), 8),
          (percent(heard.statistics.fecPacketsUsed, of: sent), 11),
          (percent(heard.statistics.retransmittedPacketsUsed, of: sent), 15),
          (JSONWriter.digits(100 * heard.concealedShare, 2) + "%", 11),
          (mean(heard.delay), 10), (mean(heard.buffer), 11),
          (heard.mos.map { JSONWriter.digits($0, 2) } ?? "-", 6),
        ]
        lines.append(
          cells.enumerated().map { index, cell in
            String(repeating: " ", count: max(index == 0 ? 0 : 1, cell.1 - cell.0.utf8.count)) + cell.0
          }.joined()
            + (hasChannels ? "  \(heard.channel ?? CallScript.channel)\n" : "\n"))
      }
    }
    return lines.joined()
  }

  /// Writes the fields of the report.
  func write(_ json: inout JSONWriter) {
    json.field("schema", 1)
    json.key("seed")
    json.value(call.seed)
    json.field("duration_s", result.durationSeconds, decimals: 3)
    if result.isCancelled { json.field("cancelled", true) }
    json.object("users") { json in
      for listener in result.listeners where listener.uid != 0 {
        json.object("\(listener.uid)") { write(&$0, listener) }
      }
    }
    if let silent = result.listeners.first(where: { $0.uid == 0 }) {
      json.object("listener") { write(&$0, silent) }
    }
    if !result.relayCounters.isEmpty {
      json.object("relay") { json in
        for (name, value) in result.relayCounters { json.field(name.replacing("-", with: "_"), value) }
      }
    }
    json.array("events") { json in
      for event in result.events { json.object { event.write(&$0, name: "name") } }
    }
  }

  private func percent(_ part: Int, of whole: Int) -> String {
    JSONWriter.digits(100 * Double(max(0, part)) / Double(whole), 2) + "%"
  }

  private func mean(_ distribution: DurationDistribution) -> String {
    distribution.count == 0 ? "-" : JSONWriter.digits(distribution.meanMilliseconds, 1)
  }

  private func write(_ json: inout JSONWriter, _ listener: CallResult.Listener) {
    writeHeard(&json, listener, in: nil)
    let channels = Set(listener.heard.compactMap(\.channel)).sorted { $0.text < $1.text }
    guard !channels.isEmpty else { return }
    json.object("channels") { json in
      for channel in channels { json.object(channel.text) { writeHeard(&$0, listener, in: channel) } }
    }
  }

  private func writeHeard(_ json: inout JSONWriter, _ listener: CallResult.Listener, in channel: ChannelName?) {
    json.object("heard") { json in
      for heard in listener.heard where heard.channel == channel {
        json.object("\(heard.uid)") { write(&$0, heard) }
      }
    }
  }

  private func write(_ json: inout JSONWriter, _ heard: HeardUser) {
    let statistics = heard.statistics
    json.field("sent", heard.packetsSent)
    json.field("packets", statistics.packetsReceived)
    json.field("lost", heard.packetsLost)
    json.field("late", statistics.packetsDiscarded)
    json.field("duplicated", statistics.packetsDuplicated)
    json.field("overflowed", heard.packetsRefused)
    json.field("fec", statistics.fecPacketsUsed)
    json.field("retransmitted", statistics.retransmittedPacketsUsed)
    json.field("concealed_ms", Double(statistics.concealedSamples) / 48, decimals: 3)
    json.field("concealment_events", statistics.concealmentEvents)
    json.field(
      "stretched_ms",
      Double(statistics.insertedSamplesForDeceleration + statistics.removedSamplesForAcceleration) / 48, decimals: 3)
    quantiles(&json, "delay_ms", heard.delay)
    quantiles(&json, "buffer_ms", heard.buffer)
    json.field("frozen_ms", Double(statistics.frozenSamples) / 48, decimals: 3)
    json.field("mos", heard.mos ?? .nan, decimals: 3)
    if case .null(_) = call.codec { json.field("mismatches", statistics.payloadMismatches) }
    json.object("link") { json in
      json.field("lost", heard.link.lost)
      json.field("dropped", heard.link.dropped)
      json.field("duplicated", heard.link.duplicated)
      json.field("reordered", heard.link.reordered)
    }
    writeFeedback(&json, heard)
    json.object("ledger") { $0.fields(of: statistics.ledger) }
    json.array("seconds") { json in
      for second in heard.seconds { json.object { write(&$0, second) } }
    }
  }

  /// Writes the feedback that the two sides exchanged about this direction.
  private func writeFeedback(_ json: inout JSONWriter, _ heard: HeardUser) {
    let statistics = heard.statistics
    if let feedback = heard.feedback {
      json.object("nack") { json in
        json.field("missing", feedback.missing.missing)
        json.field("requested", feedback.missing.requested)
        // The receiver knows which packets it could play: all three figures are its own, so that they add up.
        let (answered, inTime) = (statistics.retransmittedPacketsReceived, statistics.retransmittedPacketsUsed)
        json.field("answered", answered)
        json.field("answered_late", answered - inTime)
        json.field("in_time", inTime)
        if let trip = feedback.roundTripNanoseconds { json.field("round_trip_ms", Double(trip) / 1e6, decimals: 3) }
      }
    }
    if let reported = heard.remoteReport {
      json.object("reported") { json in
        json.field("reports", reported.reportsReceived)
        if reported.reportsReceived > 0 { json.field("lost", reported.remotePacketsLost) }
        if let loss = reported.delivery.loss { json.field("fraction_lost", loss, decimals: 4) }
        if reported.reportsReceived > 0 {
          json.field("jitter_ms", Double(reported.remoteJitterNanoseconds) / 1e6, decimals: 3)
        }
        if let trip = reported.roundTripNanoseconds { json.field("round_trip_ms", Double(trip) / 1e6, decimals: 3) }
        json.field("requested", reported.retransmissions.requested)
        json.field("retransmitted", reported.retransmissions.retransmitted)
      }
    }
  }

  private func quantiles(_ json: inout JSONWriter, _ name: String, _ distribution: DurationDistribution) {
    json.object(name) { json in
      // Null if no packets were played.
      let isEmpty = distribution.count == 0
      json.field("mean", isEmpty ? .nan : distribution.meanMilliseconds, decimals: 3)
      json.field("p95", isEmpty ? .nan : distribution.milliseconds(atQuantile: 0.95), decimals: 3)
    }
  }

  private func write(_ json: inout JSONWriter, _ second: HeardSecond) {
    json.field("time_s", second.timeSeconds)
    json.field("sent", second.sent)
    json.field("packets", second.packets)
    json.field("lost", second.lost)
    json.field("late", second.late)
    json.field("fec", second.recovered)
    json.field("retransmitted", second.retransmitted)
    json.field("concealed_ms", second.concealedMilliseconds, decimals: 3)
    json.field("stretched_ms", second.stretchedMilliseconds, decimals: 3)
    json.field("frozen_ms", second.frozenMilliseconds, decimals: 3)
    // Null if no packets were played, and if nothing was said.
    json.field("delay_ms", second.delayMilliseconds ?? .nan, decimals: 3)
    json.field("buffer_ms", second.bufferMilliseconds ?? .nan, decimals: 3)
    json.field("target_ms", second.targetMilliseconds ?? .nan, decimals: 3)
    json.field("mos", second.mos ?? .nan, decimals: 3)
  }
}
