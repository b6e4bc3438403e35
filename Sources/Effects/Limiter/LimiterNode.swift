public import AudioGraph
import Synchronization

/// Keeps the peaks of a stream below a ceiling by reducing its gain as long as necessary.
///
/// The true peak (between the samples too) of the output is at most `ceiling`. All channels get the same gain, so that
/// no sound moves between the ears. The gain is exactly 1 while the input's true peak stays below `threshold`: the
/// output is then the input, `latency` samples later, bit for bit. A disarmed limiter always delays like this, and does
/// not read the samples.
///
/// Latency: 2 ms + the 16 samples that the interpolation looks ahead, which is 4 ms at 8 kHz and 2.3 ms at 48 kHz. Over
/// 2 ms the gain can fall slowly enough that its side bands stay around the signal that caused it. Three limiters in a
/// row, as on the path from a microphone to a loudspeaker, take less than one frame at 48 kHz.
///
/// Thread: `isArmed` and the counters from any thread, wait-free.
public final class LimiterNode: AudioNode {
  /// Ceiling of a limiter for which none was chosen, in dB relative to full scale (dBTP).
  public static let defaultCeiling = Decibels(-0.1)

  /// Largest true peak of an armed limiter's output, in dB relative to full scale (dBTP).
  public let ceiling: Decibels

  /// True peak above which the limiter acts, 0.4 dB below the ceiling.
  ///
  /// The distance is the possible error of a measurement: 0.07 dB of a sine, up to 0.33 dB of noise that reaches to
  /// half the sample rate. Peaks far above the threshold come out up to 0.72 dB lower still.
  public var threshold: Decibels { Self.threshold(below: ceiling) }

  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  private let control: RenderState<LimiterControl>
  private let state: RenderState<LimiterState>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - channelCount: Channels of the frames.
  ///   - sampleRate: Rate of the frames, in Hz.
  ///   - isArmed: Whether the limiter looks for peaks; meant for points at which the graph can raise the level.
  ///   - ceiling: Largest true peak of the output, in dBTP.
  public init(channelCount: Int, sampleRate: Int, isArmed: Bool, ceiling: Decibels = defaultCeiling) {
    self.ceiling = ceiling
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    control = RenderState(LimiterControl(isArmed: isArmed))
    let limiter = LimiterState(
      channelCount: channelCount, sampleRate: sampleRate, ceiling: ceiling, control: control.pointer)
    latency = limiter.delay
    state = RenderState(limiter)
  }

  public var renderer: Renderer { Renderer(renderLimiter, state) }

  /// Returns the true peak from which on a limiter with this ceiling acts.
  package static func threshold(below ceiling: Decibels) -> Decibels { Decibels(ceiling.value - 0.4) }

  /// Whether the limiter looks for peaks. A limiter that is disarmed while it acts releases first.
  public var isArmed: Bool {
    get { control.pointer.pointee.isArmed.load(ordering: .relaxed) }
    set { control.pointer.pointee.isArmed.store(newValue, ordering: .relaxed) }
  }

  /// Number of frames with a gain below 1.
  public var limitedFrameCount: Int { control.pointer.pointee.limitedFrames.load(ordering: .relaxed) }

  /// Smallest gain of the newest frame; 0 dB while idle.
  public var gain: Decibels { Decibels(linearGain: control.pointer.pointee.newestGain.value) }

  /// Smallest gain so far.
  public var smallestGain: Decibels { Decibels(linearGain: control.pointer.pointee.smallestGain.value) }
}

@_noLocks
private func renderLimiter(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: LimiterState.self).pointee.render(RenderContext(context))
}
