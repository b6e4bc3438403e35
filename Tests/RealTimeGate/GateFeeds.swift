import AudioGraph
import Engine

/// The other ends of the rings that lead into and out of the graph. Touched between ticks, by the thread that ticks.
final class GateFeeds: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): made on the control thread, then used by the ticking thread alone.
  let source: FrameSourceNode
  let sink: FrameSinkNode
  let push: PushSource
  private var frames: RingProducer<Frame>
  private var rendered: RingConsumer<Frame>
  private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 882)

  init() throws {
    samples.initialize(repeating: 0.25)
    let stereo = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let input = FrameRing(capacity: 4, format: stereo)
    let output = FrameRing(capacity: 4, format: stereo, policy: .dropOldest)
    source = FrameSourceNode(reading: input.takeConsumer(), channelCount: 2)
    sink = FrameSinkNode(writing: output.takeProducer(), channelCount: 2)
    frames = input.takeProducer()
    rendered = output.takeConsumer()
    push = try PushSource(
      try AudioFormat(sampleRate: 44_100, channelCount: 2), sampleRate: 48_000, ready: Doorbell())
  }

  deinit { samples.deallocate() }

  /// Gives the next tick its frames, but lets every tenth find the rings empty; takes what the last one gave.
  func exchange(tick: Int) {
    while rendered.pop() != nil {}
    if tick % 10 == 0 { return }
    if let slot = frames.reserve() {
      slot.pointee.header.pointee = FrameHeader(samplePosition: tick * 480, samplesPerChannel: 480)
      frames.commit(1)
    }
    _ = push.push(UnsafeBufferPointer(samples).span)
  }
}
