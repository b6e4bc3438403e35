public import AudioGraph

/// Raises or lowers the pitch of a stream by up to an octave; its speed stays.
///
/// The past is read faster or slower than it came. The reading jumps by whole periods and so stays `latency` samples
/// behind on average. Each jump is crossfaded at the highest correlation of both sides. All channels jump together.
///
/// At a ratio that has been 1 from the beginning, every bit stays. Back at 1, the delay becomes exact again within
/// seconds, by a change of pitch of less than 1 cent, or at once in silence. A change of the ratio glides over one
/// frame. Chords sound worse than voices, since the common period of several notes is long or missing; the quality mode
/// helps.
///
/// With formants kept, a voice is cut into grains around its pitch marks, and these follow one another sooner or later.
/// Sound without a period passes unchanged. Back at a ratio of 1, the delay is exact again at the next such sound. That
/// is for one voice of 70 to 900 Hz, not for several or for music.
///
/// Samples that are not finite count as 0. The output can be louder than the input: put a limiter behind it.
///
/// Thread: `set` from any thread, wait-free; the newest ratio wins.
public final class PitchShiftNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  /// Aim of the shift: a short delay or a clean sound.
  public let mode: PitchShiftMode
  private let target: RenderState<AtomicFloat>
  public let renderer: Renderer
  /// State that the renderer works on.
  private let state: any AnyObject & Sendable

  /// Creates a pitch shift for `channelCount` channels.
  ///
  /// - Parameters:
  ///   - channelCount: Channels of the frames.
  ///   - sampleRate: Rate of the frames, in Hz.
  ///   - mode: Aim of the shift.
  ///   - ratio: Ratio of the pitches at first.
  ///   - keepsFormants: Whether the resonances of a voice stay in place.
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

  /// Sets the ratio of the pitches.
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
