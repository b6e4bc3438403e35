import AudioGraph
import Engine
import Glibc
import MediaStreams
import NetworkSimulation
import Platform

/// Plays speech over networks that lose and delay packets: once as libopus decodes it when nothing is late, then
/// through receivers. Tests/Comparisons/receiver lets PESQ judge.
///
///     ReceiverComparison FILE LOSS SEED > streams
///
/// FILE is raw mono Float32 at 48 kHz, LOSS a percentage. What comes out is 16 bits at 48 kHz, each stream as long as
/// the file: the reference, then receivers behind networks of 20 ms, 20±15 ms and 50±20 ms, all with the same packets
/// lost. A line of figures for each receiver goes to standard error.
@main
enum ReceiverComparison {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let loss = Double(arguments[2]), let seed = UInt64(arguments[3]) else {
      complain("usage: ReceiverComparison FILE LOSS SEED > streams")
      exit(64)
    }
    let speech = try Speech(path: arguments[1], expectedLossPercent: Int(loss))
    var random = RandomStream(seed: seed, path: 1)
    let lost = speech.packets.map { _ in random.chance(loss / 100) }
    write(try speech.reference(lost: lost), count: speech.sampleCount)
    let networks: [(name: String, delay: Duration, jitter: JitterModel)] = [
      ("20 ms", .milliseconds(20), .none),
      ("20±15 ms", .milliseconds(20), .uniform(plusMinus: .milliseconds(15))),
      ("50±20 ms", .milliseconds(50), .uniform(plusMinus: .milliseconds(20))),
    ]
    for network in networks {
      let conditions = try NetworkConditions(delay: network.delay, jitter: network.jitter)
      let (samples, statistics) = try speech.received(lost: lost, conditions: conditions, seed: seed)
      write(samples, count: speech.sampleCount)
      let concealed = Double(statistics.concealedSamples) / Double(statistics.totalSamplesReceived) * 100
      complain(
        "\(network.name)\t\(statistics.meanJitterBufferDelayMilliseconds)\t\(concealed)\t\(statistics.fecPacketsUsed)")
    }
  }

  private static func write(_ samples: [Float], count: Int) {
    var integers = samples.prefix(count).map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))).littleEndian }
    integers += [Int16](repeating: 0, count: count - integers.count)
    integers.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = Glibc.write(STDOUT_FILENO, bytes.baseAddress! + done, bytes.count - done)
        if written <= 0 { exit(74) }
        done += written
      }
    }
  }

  /// Writes a line to standard error.
  static func complain(_ text: String) {
    let line = text + "\n"
    _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }
}
