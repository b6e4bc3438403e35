public import AudioGraph
import Synchronization

/// Lets speech through and takes away what is not: fans, hum and rumble, keystrokes, and what is heard between words.
///
/// Noise that stays is taken down by up to 22 dB in each bin of a spectrum, as far as it is not 40 dB below the voice
/// anyway; strokes on keys, also under words, to what was around them; and between words everything by 18 dB more. It
/// needs about half a second to know a room, and a few strokes to know a keyboard. Speech without noise stays nearly as
/// it is, and all channels get the same gains, so that a voice stays in its place.
///
/// The whole band up to half the sample rate is worked on, whatever the rate, and the cost grows with it; speech is
/// looked for below 7.5 kHz, and higher bins follow their own noise and what is found there.
///
/// Switched off it is a delay of its latency that keeps every bit. A switch is a crossfade of one frame between both,
/// which are equally late; switched on it needs its latency before. Samples that are not finite count as 0.
///
/// Thread: `set` from any thread, wait-free.
public final class NoiseSuppressorNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  private let wanted: RenderState<Atomic<Bool>>
  private let state: RenderState<VoiceOnlyState>

  /// A voice-only mode for `channelCount` channels, on or off.
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
