import CommandLineKit
import NetworkIO

/// Meter of a relay's processor time.
enum RelayMeter {
  /// A process of this machine, by its number.
  case process(Int)
  /// A relay that serves metrics.
  case metrics(HTTPRequest)

  /// Figures of a relay since its beginning.
  struct Reading {
    let processorSeconds: Double
    /// Packets that the relay has sent; nil if they are not known.
    let packetCount: Int?
  }

  /// Reads the figures.
  ///
  /// - Returns: nil for a process that has ended.
  /// - Throws: exit code 69 for metrics that cannot be read.
  func read() throws(CommandFailure) -> Reading? {
    switch self {
    case .process(let identifier):
      return ProcessorTime.nanoseconds(ofProcess: identifier).map {
        Reading(processorSeconds: Double($0) / 1e9, packetCount: nil)
      }
    case .metrics(let request):
      let body: [UInt8]
      do throws(HTTPRequestError) { body = try request.body() } catch {
        throw CommandFailure(.unavailable, "--relay-metrics: \(error)")
      }
      guard let reading = Reading(metrics: String(decoding: body, as: UTF8.self)) else {
        throw CommandFailure(
          .unavailable,
          "--relay-metrics: the answer of \(request) has no \(Reading.processorName) and \(Reading.packetNames[0]); "
            + "give the metrics of a relay")
      }
      return reading
    }
  }
}

extension RelayMeter.Reading {
  fileprivate static let processorName = "process_cpu_seconds_total"
  fileprivate static let packetNames = [
    "audiopipe_relay_forwarded_packets_total", "audiopipe_relay_retransmitted_packets_total",
  ]

  /// Reads metrics in the text format of Prometheus; nil for those of another program.
  init?(metrics: String) {
    var values: [Substring: Double] = [:]
    for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      if words.count > 1, let value = Double(words[1]) { values[words[0]] = value }
    }
    guard let seconds = values[Self.processorName[...]], let forwarded = values[Self.packetNames[0][...]],
      let packets = Int(exactly: forwarded + (values[Self.packetNames[1][...]] ?? 0))
    else { return nil }
    self.init(processorSeconds: seconds, packetCount: packets)
  }
}
