import Platform
import TestSupport
import Testing

@testable import ChannelCommands
@testable import Relay

@Suite("metrics of a relay", .timeLimit(.minutes(10)))
struct RelayMeterTests {
  @Test("a histogram has its buckets, sum and count in seconds", .shows("join times"))
  func histogram() {
    var histogram = LatencyHistogram(bounds: [5_000_000, 1_000_000_000])
    for delay in [5_000_000, 6_000_000, 2_000_000_000] { histogram.add(nanoseconds: delay) }
    var text = PrometheusText()
    text.append("join_seconds", histogram, "Times of joins")
    #expect(
      text.text == """
        # HELP join_seconds Times of joins
        # TYPE join_seconds histogram
        join_seconds_bucket{le="0.005"} 1
        join_seconds_bucket{le="1"} 2
        join_seconds_bucket{le="+Inf"} 3
        join_seconds_sum 2.011
        join_seconds_count 3

        """)
  }

  @Test("load reads the metrics of a relay")
  func reading() throws {
    let text = RelayMetrics.text(RelayStatistics(), isDraining: false, startSeconds: 0)
    let reading = try #require(RelayMeter.Reading(metrics: text))
    #expect(reading.processorSeconds > 0 && reading.packetCount == 0)
    #expect(text.contains("\naudiopipe_relay_join_seconds_bucket{le=\"10\"} 0\n"))
  }

  @Test("the bans in force are a metric", .shows("bans"))
  func bans() {
    var statistics = RelayStatistics()
    statistics.banned = 3
    let text = RelayMetrics.text(statistics, isDraining: false, startSeconds: 0)
    #expect(text.contains("\n# TYPE audiopipe_relay_banned gauge\naudiopipe_relay_banned 3\n"))
  }

  @Test("repeated packets count, and other metrics are refused")
  func packets() {
    let metrics = """
      # HELP process_cpu_seconds_total Time
      process_cpu_seconds_total 1.5
      audiopipe_relay_forwarded_packets_total 40
      audiopipe_relay_retransmitted_packets_total 2
      other{le="5"} 7
      """
    let reading = RelayMeter.Reading(metrics: metrics)
    #expect(reading?.processorSeconds == 1.5 && reading?.packetCount == 42)
    #expect(RelayMeter.Reading(metrics: "process_cpu_seconds_total 1.5\n") == nil)
    #expect(RelayMeter.Reading(metrics: "<html>") == nil)
  }

  @Test("processor time is for each sent packet, if they are known")
  func use() throws {
    func reading(_ seconds: Double, _ packets: Int?) -> RelayMeter.Reading {
      RelayMeter.Reading(processorSeconds: seconds, packetCount: packets)
    }
    let metrics = try #require(
      RelayUse(from: reading(1, 100), to: reading(2, 250), settled: reading(2.5, 300), durationSeconds: 4))
    #expect(metrics.cores == 0.25 && metrics.sentCount == 200)
    #expect(metrics.microsecondsPerPacket(deliveredCount: 1) == 7_500)
    let process = try #require(
      RelayUse(from: reading(1, nil), to: reading(2, nil), settled: reading(2, nil), durationSeconds: 4))
    #expect(process.sentCount == nil && process.microsecondsPerPacket(deliveredCount: 100) == 10_000)
    #expect(process.microsecondsPerPacket(deliveredCount: 0) == nil)
    // The relay restarted, or has ended.
    #expect(RelayUse(from: reading(2, 0), to: reading(1, 0), settled: reading(1, 0), durationSeconds: 4) == nil)
    #expect(RelayUse(from: nil, to: reading(1, 0), settled: reading(1, 0), durationSeconds: 4) == nil)
  }
}
