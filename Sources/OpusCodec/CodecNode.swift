public import AudioGraph
import Synchronization

/// Passes sound through a network without faults: encoder, RTP packets in memory, decoder.
///
///     frames ─▶ (10 or 20 ms) ─▶ Opus ─▶ RTP packet ─▶ parse ─▶ Opus ─▶ frames
///
/// Shape: 48 kHz, 1 or 2 channels. Frames that come out carry the RTP timestamp of their packet. Latency: the encoder's
/// pre-skip + 2 samples, in which all layers of Opus are aligned to one sample. Packets of 20 ms add another frame,
/// because the first half of a packet has to wait for the second. Real-time: no lock, no allocation; an encode and a
/// decode per packet.
public final class CodecNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  /// Samples per channel of the encoder's own delay.
  public let preSkip: Int
  private let counters = RenderState(CodecCounters())
  private let state: RenderState<CodecState>

  /// Creates a codec node.
  ///
  /// - Parameters:
  ///   - channelCount: channels, 1 or 2.
  ///   - options: options of the encoder.
  ///   - ssrc: the synchronization source in the packets.
  /// - Throws: `EngineError` for options or a channel count out of range.
  public init(channelCount: Int, options: OpusOptions = OpusOptions(), ssrc: UInt32 = 1) throws(EngineError) {
    let encoder = try OpusEncoder(channelCount: channelCount, options: options)
    let decoder = try OpusDecoder(channelCount: channelCount)
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    preSkip = encoder.preSkip
    latency = encoder.preSkip + CodecAlignment.base + (options.packetDuration.frameCount - 1) * 480
    state = RenderState(
      CodecState(
        encoder: encoder, decoder: decoder, bitRate: options.bitrate, ssrc: ssrc, counters: counters.pointer))
  }

  public var renderer: Renderer { Renderer(renderCodec, state) }

  /// Packets so far. Thread: any.
  public var packetCount: Int { counters.pointer.pointee.packets.load(ordering: .relaxed) }

  /// Bytes of Opus in the packets so far. Thread: any.
  public var payloadByteCount: Int { counters.pointer.pointee.payloadBytes.load(ordering: .relaxed) }

  /// Bytes of the packets so far, with their RTP headers. Thread: any.
  public var packetByteCount: Int { counters.pointer.pointee.packetBytes.load(ordering: .relaxed) }

  /// Packets that could not be made or read, and were concealed. Thread: any.
  public var failureCount: Int { counters.pointer.pointee.failures.load(ordering: .relaxed) }

  /// Returns the ledger of the samples, all at 48 kHz; the sound lost with a failed packet equals the sound concealed
  /// in its place. Thread: audio, between ticks.
  package func edge(named name: String) -> LedgerEdge {
    let state = state.pointer
    var ledger = Ledger()
    ledger.input = state.pointee.taken
    ledger.output = state.pointee.given + state.pointee.silent
    ledger.held = state.pointee.held
    ledger.dropped = state.pointee.concealed
    ledger.inserted[.delay] = state.pointee.silent
    ledger.inserted[.concealment] = state.pointee.concealed
    return LedgerEdge(name, from: OpusOptions.sampleRate, to: OpusOptions.sampleRate, ledger)
  }
}

@_noLocks
private func renderCodec(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: CodecState.self).pointee.render(RenderContext(context))
}
