import AudioGraph
import OpusCodec

/// Makes RTP packets of incoming frames: the end of an uplink.
///
///     audio thread   frames ─▶ (10 or 20 ms) ─▶ codec ─▶ RTP packet ──ring──▶   network thread
///
/// Shape: 48 kHz, 1 or 2 channels. Real-time: no lock, no allocation; one encoding per packet.
final class SenderNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  private let state: RenderState<SenderState>
  /// Counters that the state has a pointer to: a plan may render after the sender has gone.
  private let counters: RenderState<SenderCounters>

  init(
    _ options: SenderOptions, packets: consuming RingProducer<OutgoingPacket>,
    settings: consuming LatestValueReader<SenderCodec>, counters: RenderState<SenderCounters>,
    totals: consuming LatestValueWriter<SenderTotals>
  ) throws(EngineError) {
    self.counters = counters
    inputs = [InputPort(channelCount: options.channelCount)]
    var opus = OpusOptions()
    if case .opus(let wanted) = options.codec { opus = wanted }
    let linear = try options.codec.makeLinearEncoder(channelCount: options.channelCount)
    state = RenderState(
      SenderState(
        options: options, linear: linear, encoder: try OpusEncoder(channelCount: options.channelCount, options: opus),
        packets: packets, settings: settings, counters: counters.pointer, totals: totals))
  }

  var renderer: Renderer { Renderer(renderSender, state) }
}

@_noLocks
private func renderSender(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: SenderState.self).pointee.render(RenderContext(context))
}
