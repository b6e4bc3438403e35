public import AudioGraph
import Synchronization

/// Keeps speech and reduces other sounds: fans, hum and rumble, keystrokes, and sounds between words.
///
/// Steady noise is reduced by up to 22 dB in each bin of a spectrum, at most to 40 dB below the voice. Keystrokes, also
/// under words, are reduced to the level of the sound around them, and everything between words by 18 dB more. The node
/// needs about half a second to know a room, and a few strokes to know a keyboard. Speech without noise stays nearly as
/// it is. All channels get the same gains, so that a voice stays in its place.
///
/// The node processes the whole band up to half the sample rate, whatever the rate, and the cost grows with it. Speech
/// detection uses the band below 7.5 kHz; higher bins follow their own noise and that detection.
///
/// Latency: 54 ms at 48 kHz, 56 ms at most. The node cannot distinguish a voice from other people's voices. Nor can
/// it from sounds with a pitch that come and go, such as a dog's or a melody.
///
/// Switched off, the node is a delay of its latency that keeps every bit. A switch is a crossfade of one frame between
/// the two paths, which are equally late; a switch to on begins after its latency. Samples that are not finite count as
/// 0.
///
/// Thread: `set` from any thread, wait-free.
public final class NoiseSuppressorNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  private let wanted: RenderState<Atomic<Bool>>
  private let state: RenderState<VoiceOnlyState>

  /// Creates a voice-only mode.
  ///
  /// - Parameters:
  ///   - channelCount: number of channels.
  ///   - sampleRate: rate in Hz.
  ///   - isOn: whether the mode is on at first.
  public init(channelCount: Int, sampleRate: Int, isOn: Bool = true) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    let tuning = VoiceOnlyTuning(sampleRate: sampleRate)
    latency = tuning.delay
    wanted = RenderState(Atomic(isOn))
    state = RenderState(VoiceOnlyState(tuning: tuning, channelCount: channelCount, isWanted: wanted.pointer))
  }

  public var renderer: Renderer { Renderer(renderVoiceOnly, state) }

  /// Switches the mode on or off.
  public func set(isOn: Bool) { wanted.pointer.pointee.store(isOn, ordering: .relaxed) }
}

@_noLocks
private func renderVoiceOnly(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: VoiceOnlyState.self).pointee.render(RenderContext(context))
}
