import LockFree
import Synchronization

/// Brings interleaved samples from another thread into the graph, through a ring without frames.
///
/// Each tick takes exactly the samples that its frame holds. If the ring holds fewer, the rest of the frame is silence.
/// Missing samples are counted unless the producer has finished.
public final class SampleSourceNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let state: RenderState<SampleSourceState>
  private let missing = RenderState(Atomic<Int>(0))

  /// Creates a node that reads `samples`, channel after channel, at the graph's rate.
  public init(reading samples: consuming RingConsumer<Float>, channelCount: Int, sourceID: UInt32 = 0) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(SampleSourceState(samples: samples, missing: missing.pointer, sourceID: sourceID))
  }

  public var renderer: Renderer { Renderer(renderSampleSource, state) }

  /// Samples of all channels that wait in the ring. Thread: audio, between ticks.
  public var sampleCount: Int { state.pointer.pointee.samples.readableCount }

  /// Whether the producer has finished and no sample waits. Thread: audio, between ticks.
  public var isExhausted: Bool { isFinished && sampleCount == 0 }

  /// Whether the producer has finished. Thread: audio, between ticks.
  public var isFinished: Bool { state.pointer.pointee.samples.isFinished }

  /// Samples per channel that were missing and became silence. Thread: any.
  public var underrunCount: Int { missing.pointer.pointee.load(ordering: .relaxed) }
}

private struct SampleSourceState: ~Copyable {
  var samples: RingConsumer<Float>
  let missing: UnsafeMutablePointer<Atomic<Int>>
  private let sourceID: UInt32
  private var position = 0

  init(samples: consuming RingConsumer<Float>, missing: UnsafeMutablePointer<Atomic<Int>>, sourceID: UInt32) {
    self.samples = samples
    self.missing = missing
    self.sourceID = sourceID
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let channels = output.channelCount
    let count = output.samplesPerChannel
    output.header.pointee.samplePosition = position
    output.header.pointee.sourceID = sourceID
    position &+= count
    let region = samples.peek(upTo: count &* channels)
    // A producer that pushes half a sample of all channels keeps the rest for the next tick.
    let whole = region.count / channels
    copy(region.first, to: output, from: 0, limit: whole &* channels)
    copy(region.second, to: output, from: region.first.count, limit: whole &* channels)
    samples.release(whole &* channels)
    if whole == count { return }
    if !samples.isFinished { missing.pointee.wrappingAdd(count &- whole, ordering: .relaxed) }
    for channel in 0..<channels {
      let plane = output.channel(channel)
      for index in whole..<count { plane[index] = 0 }
    }
    if whole == 0 {
      output.header.pointee.isSilent = true
      output.header.pointee.provenance = .silence
    }
  }

  /// Copies one piece of the ring; its first sample is number `start` of the frame's interleaved samples.
  @_noLocks
  private func copy(_ piece: UnsafeMutableBufferPointer<Float>, to output: Frame, from start: Int, limit: Int) {
    guard let base = piece.baseAddress else { return }
    let channels = output.channelCount
    let end = min(limit, start &+ piece.count)
    if channels == 1 {
      if end > start { copySamples(from: base, to: output.channel(0) + start, count: end &- start) }
      return
    }
    for channel in 0..<channels {
      let plane = output.channel(channel)
      // The first sample of this channel at or after `start`.
      var index = start &+ (channel &- start % channels &+ channels) % channels
      while index < end {
        plane[index / channels] = base[index &- start]
        index &+= channels
      }
    }
  }
}

@_noLocks
private func renderSampleSource(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: SampleSourceState.self).pointee.render(RenderContext(context))
}
