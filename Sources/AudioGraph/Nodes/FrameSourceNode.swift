import LockFree
import Synchronization

/// Brings frames from another thread into the graph, through a ring.
///
/// A tick that finds the ring empty gets silence, which counts as an underrun unless the producer has finished.
public final class FrameSourceNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let state: RenderState<FrameSourceState>
  private let underruns = RenderState(Atomic<Int>(0))

  /// Creates a node that reads `frames`; their slots must have `channelCount` channels at the graph's rate.
  ///
  /// - Parameters:
  ///   - frames: Reading half of the ring.
  ///   - channelCount: Channels of the frames.
  ///   - sampleRate: Rate of the frames, in Hz. With it, the sound fades out over 5 ms before an underrun, and in
  ///     behind it. Without it, the silence begins at once.
  public init(reading frames: consuming RingConsumer<Frame>, channelCount: Int, sampleRate: Int? = nil) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(
      FrameSourceState(
        frames: frames, channelCount: channelCount, sampleRate: sampleRate, underruns: underruns.pointer))
  }

  public var renderer: Renderer { Renderer(renderFrameSource, state) }

  /// Number of frames that wait in the ring. Thread: audio, between ticks.
  public var frameCount: Int { state.pointer.pointee.frames.readableCount }

  /// Capacity of the ring, in frames.
  public var capacity: Int { state.pointer.pointee.frames.capacity }

  /// Whether the producer has finished and every frame has been rendered. Thread: audio, between ticks.
  public var isExhausted: Bool {
    state.pointer.pointee.frames.isFinished && state.pointer.pointee.frames.readableCount == 0
  }

  /// Samples per channel that the graph received, including those in place of missing ones. Thread: audio, between
  /// ticks.
  public var renderedSampleCount: Int { state.pointer.pointee.rendered }

  /// Samples per channel of silence in place of frames that were not there in time. Thread: audio, between ticks.
  public var underrunSampleCount: Int { state.pointer.pointee.missing }

  /// Samples per channel of silence behind the producer's last frame. Thread: audio, between ticks.
  public var drainedSampleCount: Int { state.pointer.pointee.drained }

  /// Samples per channel that were left out because a frame was longer than its tick. Thread: audio, between ticks.
  public var droppedSampleCount: Int { state.pointer.pointee.dropped }

  /// Samples per channel that wait in the ring. Thread: audio, between ticks.
  public var heldSampleCount: Int { state.pointer.pointee.heldSampleCount() }

  /// Number of ticks that found the ring empty. Thread: any.
  public var underrunCount: Int { underruns.pointer.pointee.load(ordering: .relaxed) }
}

private struct FrameSourceState: ~Copyable {
  var frames: RingConsumer<Frame>
  let underruns: UnsafeMutablePointer<Atomic<Int>>
  private(set) var rendered = 0
  private(set) var missing = 0
  private(set) var drained = 0
  private(set) var dropped = 0
  private var nextPosition = 0
  private var sourceID: UInt32 = 0
  /// Loudspeakers of the last frame, since a delay may still hold its samples after frames end.
  private var speakers: UInt32 = 0

  private let hasFades: Bool
  private var fade: MirroredFade
  /// Whether the last tick gave a frame, behind which a stall needs a fade-out.
  private var isSounding = false

  init(
    frames: consuming RingConsumer<Frame>, channelCount: Int, sampleRate: Int?,
    underruns: UnsafeMutablePointer<Atomic<Int>>
  ) {
    hasFades = sampleRate != nil
    fade = MirroredFade(channelCount: channelCount, sampleRate: sampleRate ?? 0)
    self.frames = frames
    self.underruns = underruns
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let count = context.tick.samplesPerChannel
    rendered &+= count
    if let slot = frames.peek() {
      let frame = slot.pointee
      output.header.pointee = frame.header.pointee
      output.header.pointee.samplesPerChannel = count
      copy(frame, to: output, count: count)
      dropped &+= max(0, frame.samplesPerChannel &- count)
      missing &+= max(0, count &- frame.samplesPerChannel)
      nextPosition = frame.header.pointee.samplePosition &+ count
      sourceID = frame.header.pointee.sourceID
      speakers = frame.header.pointee.speakers
      frames.release(1)
      if hasFades {
        fade.fadeIn(output, from: 0, count: count)
        fade.remember(output, count)
      }
      isSounding = true
    } else {
      if frames.isFinished {
        drained &+= count
      } else {
        missing &+= count
        underruns.pointee.wrappingAdd(1, ordering: .relaxed)
      }
      output.silence()
      output.header.pointee.provenance = .silence
      output.header.pointee.samplePosition = nextPosition
      output.header.pointee.sourceID = sourceID
      output.header.pointee.speakers = speakers
      nextPosition &+= count
      if isSounding, hasFades, !frames.isFinished {
        fade.begin(fade.length)
        _ = fade.continueTail(output, from: 0)
        output.header.pointee.isSilent = false
        output.header.pointee.provenance = .concealed
      }
      isSounding = false
    }
  }

  mutating func heldSampleCount() -> Int {
    let waiting = frames.peek(upTo: frames.capacity)
    return waiting.first.reduce(0) { $0 + $1.samplesPerChannel }
      + waiting.second.reduce(0) { $0 + $1.samplesPerChannel }
  }

  /// Copies a frame to a tick's output.
  ///
  /// At rates with frames of alternating length, an underrun puts ring and tick out of step by one sample. The shorter
  /// of the two then counts, and the rest is silence.
  @_noLocks
  private func copy(_ frame: Frame, to output: Frame, count: Int) {
    let valid = min(count, frame.samplesPerChannel)
    for channel in 0..<output.channelCount {
      let plane = output.channel(channel)
      copySamples(from: frame.channel(channel), to: plane, count: valid)
      for index in valid..<count { plane[index] = 0 }
    }
  }
}

@_noLocks
private func renderFrameSource(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: FrameSourceState.self).pointee.render(RenderContext(context))
}
