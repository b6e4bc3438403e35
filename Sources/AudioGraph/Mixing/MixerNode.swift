import LockFree

/// Adds any number of sources, sample by sample, without weighting them.
///
/// Shape: each source is mono (it goes to every output channel) or has the mixer's channel count.
///
/// One source passes through unchanged, no source gives silence, and silent sources cost nothing. A source that is
/// connected or disconnected is faded over one frame, while the others stay bit-identical.
public final class MixerNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  private let state: RenderState<MixerState>

  /// Creates a mixer with `channelCount` output channels.
  public init(channelCount: Int) {
    inputs = [InputPort(monoOr: channelCount, multiplicity: .any)]
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(MixerState())
  }

  // Inputs are summed in groups: the output is written before the last source has been read.
  public var rendersInPlace: Bool { false }
  public var renderer: Renderer { Renderer(renderMix, state) }
}

private struct MixerState: ~Copyable {
  let group = UnsafeMutablePointer<MixInput>.allocate(capacity: MixKernel.maximumInputCount)
  let audible = UnsafeMutablePointer<Int>.allocate(capacity: MixKernel.maximumInputCount)
  /// Loudspeakers of the last audible inputs, since a delay behind may still hold their samples; 0 if inputs differ.
  private var speakers: UInt32 = 0

  deinit {
    group.deallocate()
    audible.deallocate()
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    var mixed = 0
    var next = 0
    var agreed: UInt32?
    while next < context.inputCount {
      var size = 0
      while next < context.inputCount, size < MixKernel.maximumInputCount {
        let input = context.input(next)
        let fade = context.fade(ofInput: next)
        if !input.header.pointee.isSilent, fade.start != 0 || fade.end != 0 {
          audible[size] = next
          size &+= 1
          if input.channelCount == output.channelCount {
            let speakers = input.header.pointee.speakers
            agreed = agreed ?? speakers == speakers ? speakers : 0
          }
        }
        next &+= 1
      }
      if size == 0 { continue }
      if size == 1, mixed == 0, next == context.inputCount, isWhole(context.fade(ofInput: audible[0])) {
        copy(context.input(audible[0]), to: output)
        mixed = 1
        continue
      }
      for channel in stride(from: 0, to: output.channelCount, by: 2) {
        add(size, context, to: output, channel: channel, adding: mixed > 0)
      }
      if mixed == 0 { output.header.pointee.provenance = context.input(audible[0]).header.pointee.provenance }
      mixed &+= size
    }
    speakers = agreed ?? speakers
    output.header.pointee.speakers = speakers
    output.header.pointee.samplePosition = context.tick.samplePosition &- context.delay
    output.header.pointee.sourceID = 0
    output.header.pointee.rtpTimestamp = nil
    guard mixed > 0 else {
      output.header.pointee.provenance = .silence
      return output.silence()
    }
  }

  @_noLocks
  private func isWhole(_ fade: Ramp) -> Bool { fade.start == 1 && fade.end == 1 }

  /// Copies a single source, which needs no sums.
  @_noLocks
  private func copy(_ input: Frame, to output: Frame) {
    output.header.pointee.provenance = input.header.pointee.provenance
    for channel in 0..<output.channelCount {
      copySamples(
        from: input.channel(input.channelCount == 1 ? 0 : channel), to: output.channel(channel),
        count: output.samplesPerChannel)
    }
  }

  @_noLocks
  private func add(_ size: Int, _ context: RenderContext, to output: Frame, channel: Int, adding: Bool) {
    // An odd last channel is mixed as a pair with itself; the kernel then writes one of the two.
    let other = min(channel &+ 1, output.channelCount &- 1)
    for index in 0..<size {
      let input = context.input(audible[index])
      let fade = context.fade(ofInput: audible[index])
      let isMono = input.channelCount == 1
      group[index] = MixInput(
        left: input.channel(isMono ? 0 : channel), right: input.channel(isMono ? 0 : other), leftGain: fade,
        rightGain: fade)
    }
    MixKernel.mix(
      group, inputCount: size, left: output.channel(channel), right: output.channel(other),
      count: output.samplesPerChannel, adding: adding)
  }
}

@_noLocks
private func renderMix(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: MixerState.self).pointee.render(RenderContext(context))
}
