public import AudioGraph

/// Makes a stream louder or quieter.
///
/// A change is ramped linearly over one frame. No step of the output thus exceeds max(gain) x the signal's own step +
/// peak x |change of gain| / samples of the frame. At a gain of exactly 1 the samples are not touched.
///
/// Thread: setters from any thread, wait-free; the newest value wins.
public final class GainNode: AudioNode {
  /// Largest possible level: 1000 times.
  public static let maximumLevel = Decibels(60)

  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  private let target: RenderState<AtomicFloat>
  private let state: RenderState<GainState>

  /// Creates a gain for `channelCount` channels.
  public init(channelCount: Int, volume: Volume = .unchanged) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    target = RenderState(AtomicFloat(volume.linearGain))
    state = RenderState(GainState(target: target.pointer))
  }

  public var keepsSilence: Bool { true }
  public var renderer: Renderer { Renderer(renderGain, state) }

  /// Factor that samples are multiplied by, once the ramp to it is over.
  public var linearGain: Float { target.pointer.pointee.value }

  /// Sets the gain to a volume.
  public func set(_ volume: Volume) { target.pointer.pointee.set(volume.linearGain) }

  /// Sets the gain to a level; minus infinity is silence.
  ///
  /// - Throws: `EffectParameterError.level` above `maximumLevel`.
  public func set(_ level: Decibels) throws(EffectParameterError) {
    guard level.value <= Self.maximumLevel.value else {
      throw .level(level.value, maximum: Self.maximumLevel.value)
    }
    target.pointer.pointee.set(level.linearGain)
  }
}

private struct GainState: ~Copyable {
  private let target: UnsafePointer<AtomicFloat>
  private var current: Float
  private var hasRendered = false

  init(target: UnsafePointer<AtomicFloat>) {
    self.target = target
    current = target.pointee.value
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    let newest = target.pointee.value
    // Nothing has been heard before the first frame, nor of a silent one: there is nothing to ramp from.
    let isUnheard = !hasRendered || input.header.pointee.isSilent
    let ramp = Ramp(from: isUnheard ? newest : current, to: newest)
    hasRendered = true
    current = newest
    if input.header.pointee.isSilent || (ramp.isConstant && newest == 0) { return output.silence() }
    for channel in 0..<output.channelCount {
      let source = input.channel(channel)
      let target = output.channel(channel)
      if ramp.isConstant && newest == 1 {
        copySamples(from: source, to: target, count: output.samplesPerChannel)
      } else {
        GainKernel.apply(ramp, source, target, count: output.samplesPerChannel)
      }
    }
  }
}

@_noLocks
private func renderGain(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: GainState.self).pointee.render(RenderContext(context))
}
