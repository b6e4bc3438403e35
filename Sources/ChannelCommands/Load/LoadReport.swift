import JSON
import RelayClient
import RelayLoad
import Signalling

/// Result of a load, for programs and for people.
struct LoadReport {
  let result: LoadResult

  /// Sentence about a measurement that this program limited; nil if it did not.
  var bottleneck: String? {
    guard result.isBottleneck else { return nil }
    return
      "load limits these figures itself: \(result.processCount > 1 ? "its busiest" : "its") thread used \(digits(100 * result.threadShare, 0)) % of a core, packets left "
      + "up to \(digits(result.latenessMilliseconds, 1)) ms late (p99), and its sockets dropped \(result.droppedCount); "
      + "give it a core of its own, or more --processes"
  }

  /// Sentence for a relay that does not forward everything; nil if it does, or if the publishers take turns.
  var limit: String? {
    let count = result.counts.limitedListeners
    guard count > 0 else { return nil }
    return
      "the relay forwards a limited number of speakers to \(count) listeners (--max-speakers, max_speakers), and the "
      + "packets of the others count as lost here; let publishers take turns with --speakers"
  }

  /// Table with a line for each kind of figure.
  var table: String {
    let counts = result.counts
    var lines = [
      ("users", "\(result.joinedCount) joined, \(result.failedCount) failed")
    ]
    for (error, count) in result.failures { lines.append(("", "\(count): \(sentence(error))")) }
    lines += [
      ("join time", quantiles([0.5, 0.95], result.joinMilliseconds)),
      ("measured", "\(digits(result.durationSeconds, 1)) s"),
      ("packets", "\(counts.sent) sent, \(counts.expected) expected, \(counts.received) received"),
      (
        "lost",
        "\(digits(counts.lostPercent, 4)) % (\(counts.lost)), \(counts.duplicated) duplicated, \(counts.outOfOrder) out of order"
      ),
      ("delay", quantiles([0.5, 0.95, 0.99], result.delayMilliseconds)),
      ("interruptions", "\(counts.rejoins) rejoins, \(counts.unsent) packets not sent"),
      ("received", "\(digits(result.receivedKilobitsPerSecond, 1)) kbit/s"),
    ]
    if counts.expectedBeginnings > 0 {
      lines.append(
        (
          "beginnings",
          "\(counts.receivedBeginnings) of \(counts.expectedBeginnings) packets of the first 400 ms of turns"
        ))
    }
    if !result.isSimulated {
      lines.append(
        (
          "load",
          "\(digits(result.loadCores, 2)) cores\(processes), packets up to \(digits(result.latenessMilliseconds, 2)) ms late (p99)"
        ))
    }
    if let relay = result.relay {
      let kind = relay.sentCount == nil ? "delivered" : "sent"
      let each = result.relayMicrosecondsPerPacket.map { ", \(digits($0, 1)) µs a \(kind) packet" } ?? ""
      lines.append(("relay", "\(digits(relay.cores, 2)) cores\(each)"))
    }
    return lines.map { name, text in
      name + String(repeating: " ", count: 15 - name.utf8.count) + text + "\n"
    }.joined() + [limit, bottleneck].compactMap { $0.map { $0 + "\n" } }.joined()
  }

  /// Writes the fields of the result.
  func write(_ json: inout JSONWriter) {
    let counts = result.counts
    json.object("users") { json in
      json.field("publishers", result.publisherCount)
      json.field("listeners", result.listenerCount)
      json.field("joined", result.joinedCount)
      json.field("failed", result.failedCount)
    }
    json.array("failures") { json in
      for (error, count) in result.failures {
        json.object { json in
          json.field("count", count)
          json.field("code", error.code.rawValue)
          json.field("message", error.message)
          guard let limit = error.limit else { return }
          json.field("limit", Int(limit.value))
          if let setting = limit.setting { json.field("setting", setting) }
        }
      }
    }
    json.object("join_ms") { json in
      json.field("p50", result.joinMilliseconds(atQuantile: 0.5), decimals: 3)
      json.field("p95", result.joinMilliseconds(atQuantile: 0.95), decimals: 3)
      json.field("max", result.joinMilliseconds(atQuantile: 1), decimals: 3)
    }
    json.field("duration_s", result.durationSeconds, decimals: 3)
    LoadLine.write(counts, to: &json)
    json.field("lost", counts.lost)
    json.field("lost_percent", counts.lostPercent, decimals: 6)
    LoadLine.write(result.delays, to: &json)
    json.field("received_kbit_s", result.receivedKilobitsPerSecond, decimals: 3)
    if result.isSimulated { return }
    json.object("load") { json in
      json.field("processes", result.processCount)
      json.field("cores", result.loadCores, decimals: 3)
      json.field("thread_share", result.threadShare, decimals: 3)
      json.field("lateness_p99_ms", result.latenessMilliseconds, decimals: 3)
      json.field("dropped", result.droppedCount)
      json.field("is_limit", result.isBottleneck)
    }
    guard let relay = result.relay else { return }
    json.object("relay") { json in
      json.field("cores", relay.cores, decimals: 3)
      if let count = relay.sentCount { json.field("sent_packets", count) }
      json.field("us_per_packet", result.relayMicrosecondsPerPacket ?? .nan, decimals: 3)
    }
  }

  private var processes: String { result.processCount > 1 ? " in \(result.processCount) processes" : "" }

  private func sentence(_ error: ChannelError) -> String {
    let code = "(\(error.code.rawValue))"
    guard let limit = error.limit else { return "\(error.message) \(code)" }
    let remedy = limit.setting.map { ", which \($0) of the relay raises" } ?? ""
    return "\(error.message), \(limit.value)\(remedy) \(code)"
  }

  private func quantiles(_ quantiles: [Double], _ value: (Double) -> Double) -> String {
    (quantiles.map { ("p\(Int($0 * 100))", $0) } + [("max", 1)])
      .map { "\($0) \(digits(value($1), 2)) ms" }.joined(separator: ", ")
  }

  private func digits(_ number: Double, _ decimals: Int) -> String { JSONWriter.digits(number, decimals) }
}
