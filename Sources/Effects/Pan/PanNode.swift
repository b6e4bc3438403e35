public import AudioGraph
import Synchronization

/// Places a mono or stereo stream between the ears; the output is stereo.
///
/// Mono: L = sqrt2 cos((pan + 1) pi/4), R = sqrt2 sin((pan + 1) pi/4), exactly 1 in front. Stereo: the far channel
/// folds into the near one; in front nothing changes. The gains (not the angle) are ramped over one frame. In front
/// and at full gain the samples keep their bits.
///
/// Thread: `set` from any thread, wait-free; pan and gain change together.
public final class PanNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs = [OutputPort(channelCount: 2)]
  /// Pan and gain in one word, so that both change in the same frame.
  private let target = RenderState(Atomic<UInt64>(PanState.pack(.center, .unchanged)))
  private let state: RenderState<PanState>

  /// Creates a node in front, at full gain. Shape: `inputChannelCount` 1 or 2.
  public init(inputChannelCount: Int) {
    precondition(inputChannelCount == 1 || inputChannelCount == 2, "only mono and stereo can be panned")
    inputs = [InputPort(channelCount: inputChannelCount)]
    state = RenderState(PanState(target: target.pointer, inputChannelCount: inputChannelCount))
  }

  public var keepsSilence: Bool { true }
  public var renderer: Renderer { Renderer(renderPan, state) }

  /// Moves the stream and sets its gain, with 100 (unchanged) as the maximum.
  ///
  /// - Parameters:
  ///   - panning: Position between the ears.
  ///   - gain: Volume of the stream, in percent.
  /// - Throws: `EffectParameterError.volume` if the gain is above 100.
  public func set(_ panning: Panning, gain: Volume = .unchanged) throws(EffectParameterError) {
    guard Volume.attenuationRange.contains(gain.percent) else {
      throw .volume(gain.percent, allowed: Volume.attenuationRange)
    }
    // Relaxed: the word stands for itself and orders nothing else.
    target.pointer.pointee.store(PanState.pack(panning, gain), ordering: .relaxed)
  }
}

private struct PanState: ~Copyable {
  private let target: UnsafePointer<Atomic<UInt64>>
  private let inputChannelCount: Int
  private var seen: UInt64
  private var current: PanMatrix
  private var hasRendered = false

  init(target: UnsafePointer<Atomic<UInt64>>, inputChannelCount: Int) {
    self.target = target
    self.inputChannelCount = inputChannelCount
    seen = target.pointee.load(ordering: .relaxed)
    current = PanState.matrix(seen, inputChannelCount)
  }

  static func pack(_ panning: Panning, _ gain: Volume) -> UInt64 {
    UInt64(Float(panning.value).bitPattern) << 32 | UInt64(gain.linearGain.bitPattern)
  }

  @_noLocks
  private static func matrix(_ word: UInt64, _ inputChannelCount: Int) -> PanMatrix {
    PanMatrix(
      pan: Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)),
      gain: Float(bitPattern: UInt32(truncatingIfNeeded: word)), inputChannelCount: inputChannelCount)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    let newest = target.pointee.load(ordering: .relaxed)
    let before = current
    if newest != seen {
      seen = newest
      current = PanState.matrix(newest, inputChannelCount)
    }
    // Nothing has been heard before the first frame, nor of a silent one: there is nothing to ramp from.
    let start = !hasRendered || input.header.pointee.isSilent ? current : before
    hasRendered = true
    if input.header.pointee.isSilent { return output.silence() }
    let left = input.channel(0)
    let right = input.channel(inputChannelCount &- 1)
    let count = output.samplesPerChannel
    if start.isSame(as: current), current.isSame(as: PanMatrix.unity(inputChannelCount: inputChannelCount)) {
      copySamples(from: left, to: output.channel(0), count: count)
      copySamples(from: right, to: output.channel(1), count: count)
    } else if inputChannelCount == 1 {
      GainKernel.apply(Ramp(from: start.left[0], to: current.left[0]), left, output.channel(0), count: count)
      GainKernel.apply(Ramp(from: start.right[0], to: current.right[0]), left, output.channel(1), count: count)
    } else {
      PanKernel.apply(
        from: start, to: current, left, right, output.channel(0), output.channel(1), count: count)
    }
  }
}

@_noLocks
private func renderPan(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PanState.self).pointee.render(RenderContext(context))
}
