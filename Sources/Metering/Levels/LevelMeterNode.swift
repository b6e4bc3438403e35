public import AudioGraph

/// Measures the level of each frame, and passes the levels to another thread.
///
///     audio thread   frame ──▶ node ── FrameLevel ──ring──▶ LevelReader   any thread
///
/// It is attached beside a path and changes nothing. A frame that is marked silent is not read. If no reader fetches
/// levels for five seconds, the newest are lost.
public final class LevelMeterNode: AudioNode {
  /// Largest number of levels that wait for their reader: five seconds of them.
  public static let capacity = 500

  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  /// Reader of the levels.
  public let levels: LevelReader
  private let state: RenderState<LevelMeterState>

  /// Creates a meter for frames of `channelCount` channels.
  ///
  /// - Parameters:
  ///   - channelCount: Number of channels.
  ///   - sampleRate: Samples a second.
  ///   - detectsVoice: Whether the levels state if somebody speaks, at three times the cost.
  public init(channelCount: Int, sampleRate: Int, detectsVoice: Bool = false) {
    inputs = [InputPort(channelCount: channelCount)]
    let ring = Ring(capacity: Self.capacity, initial: FrameLevel())
    levels = LevelReader(ring.takeConsumer())
    state = RenderState(
      LevelMeterState(
        levels: ring.takeProducer(), channelCount: channelCount, sampleRate: sampleRate, detectsVoice: detectsVoice))
  }

  public var renderer: Renderer { Renderer(renderLevelMeter, state) }
}

private struct LevelMeterState: ~Copyable {
  private var levels: RingProducer<FrameLevel>
  private var voice: VoiceActivity
  private let detectsVoice: Bool

  init(levels: consuming RingProducer<FrameLevel>, channelCount: Int, sampleRate: Int, detectsVoice: Bool) {
    self.levels = levels
    self.detectsVoice = detectsVoice
    voice = VoiceActivity(sampleRate: sampleRate, channelCount: channelCount)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let frame = context.input(0)
    let count = frame.samplesPerChannel
    var level = FrameLevel(tick: context.tick.index)
    if frame.header.pointee.isSilent {
      level.sampleCount = count &* frame.channelCount
      if detectsVoice { level.isVoice = voice.detectSilence() }
    } else {
      for channel in 0..<frame.channelCount { level.add(frame.channel(channel), count: count) }
      if detectsVoice {
        level.isVoice = voice.detect(
          frame.channel(0), stride: frame.planeStride, channelCount: frame.channelCount, count: count)
      }
    }
    _ = levels.push(level)
  }
}

@_noLocks
private func renderLevelMeter(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: LevelMeterState.self).pointee.render(RenderContext(context))
}
