import AudioGraph
import MediaStreams
import StreamTestSupport

/// Gives packets to a receiver at their times and keeps what it renders.
struct ReceiverBench {
  private(set) var channels: [[Float]]
  private(set) var headers: [FrameHeader] = []
  /// After each frame.
  private(set) var statistics: [JitterBufferStatistics] = []
  private(set) var stages: [JitterBufferStage] = []
  /// What the delay is said to be aimed at after each frame, in milliseconds.
  private(set) var targets: [Double] = []
  /// Ledgers that did not close, by frame.
  private(set) var imbalances: [Int] = []

  init(
    _ options: JitterBufferOptions, packets: [TimedPacket], frameCount: Int, keepsSamples: Bool = true,
    minimumDelay: (_ frame: Int) -> Int = { _ in 0 }
  ) throws {
    var receiver = try JitterBuffer(options)
    channels = Array(repeating: [], count: options.channelCount)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: options.channelCount)
    let memory = FrameMemory(count: 1, format: format)
    defer { withExtendedLifetime(memory) {} }
    let frame = memory[0]
    var next = 0
    for index in 0..<frameCount {
      let now = index * 10_000_000
      while next < packets.count, packets[next].arrival <= now {
        let arrival = packets[next].arrival
        packets[next].bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: arrival) }
        next += 1
      }
      receiver.minimumDelayNanoseconds = minimumDelay(index)
      receiver.render(into: frame, nowNanoseconds: now)
      if keepsSamples {
        for channel in channels.indices {
          channels[channel] += UnsafeBufferPointer(start: frame.channel(channel), count: 480)
        }
        headers.append(frame.header.pointee)
      }
      statistics.append(receiver.statistics)
      stages.append(receiver.stage)
      targets.append(Double(receiver.report.targetDelayNanoseconds) / 1e6)
      let imbalance = receiver.statistics.ledger.imbalance()
      if imbalance != 0 { imbalances.append(imbalance) }
    }
  }

  /// The mean delay from one frame to another, as W3C's webrtc-stats define it, in milliseconds.
  func delay(_ range: Range<Int>) -> Double {
    let (before, after) = (statistics[range.lowerBound], statistics[range.upperBound - 1])
    let count = after.jitterBufferEmittedCount - before.jitterBufferEmittedCount
    return (after.jitterBufferDelay - before.jitterBufferDelay) / Double(max(1, count)) * 1e3
  }

  /// The share of samples that were concealed from one frame to another, 0...1.
  func concealed(_ range: Range<Int>) -> Double {
    let (before, after) = (statistics[range.lowerBound], statistics[range.upperBound - 1])
    return Double(after.concealedSamples - before.concealedSamples)
      / Double(after.totalSamplesReceived - before.totalSamplesReceived)
  }
}
