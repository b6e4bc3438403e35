public import AudioGraph

/// Raises or lowers the pitch of a stream by up to an octave; its speed stays.
///
/// The past is read faster or slower than it came, and by jumps of whole periods, each crossfaded where both sides are
/// most alike, the reading stays `latency` samples behind on the average. All channels jump together. At a ratio that
/// has been 1 from the beginning every bit stays; back at 1 the delay becomes exact again within seconds, by a change
/// of pitch of less than 1 cent, or at once in silence. A change of the ratio glides over one frame.
///
/// Where formants are kept, a voice is cut into grains around the beats of its vocal cords, and these follow one
/// another sooner or later; what has no period passes as it came, and back at a ratio of 1 the delay is exact again
/// where that comes next. That is for one voice of 70 to 900 Hz, not for several or for music.
///
/// Samples that are not finite count as 0. What comes out can be louder than what goes in: put a limiter behind it.
///
/// Thread: `set` from any thread, wait-free; the newest ratio wins.
public final class PitchShiftNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  /// What the shift is good at.
  public let mode: PitchShiftMode
  private let target: RenderState<AtomicFloat>
  public let renderer: Renderer
  /// What the renderer works on.
  private let state: any AnyObject & Sendable

  /// A pitch shift for `channelCount` channels.
  ///
  /// - Parameter keepsFormants: whether the resonances of a voice stay where they are.
  public init(
    channelCount: Int, sampleRate: Int, mode: PitchShiftMode = .lowDelay, ratio: PitchRatio = .unchanged,
    keepsFormants: Bool = false
  ) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    self.mode = mode
    let tuning = PitchShiftParameters(mode, sampleRate: sampleRate, keepsFormants: keepsFormants)
    latency = tuning.delay
    target = RenderState(AtomicFloat(Float(ratio.value)))
    if keepsFormants {
      let state = RenderState(
        PSOLAShifter(tuning: tuning, channelCount: channelCount, sampleRate: sampleRate, target: target.pointer))
      renderer = Renderer(renderGrains, state)
      self.state = state
    } else {
      let state = RenderState(
        TimeDomainShifter(tuning: tuning, channelCount: channelCount, sampleRate: sampleRate, target: target.pointer))
      renderer = Renderer(renderSplices, state)
      self.state = state
    }
  }

  /// Sets by how much the pitch is changed.
  public func set(_ ratio: PitchRatio) { target.pointer.pointee.set(Float(ratio.value)) }
}

@_noLocks
private func renderSplices(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: TimeDomainShifter.self).pointee.render(RenderContext(context))
}

@_noLocks
private func renderGrains(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PSOLAShifter.self).pointee.render(RenderContext(context))
}
