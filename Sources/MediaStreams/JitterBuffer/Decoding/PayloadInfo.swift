import RTP

/// Facts that a payload states about itself before it is decoded.
package struct PayloadInfo: BitwiseCopyable {
  /// Samples per channel, of 48 kHz; at a clock without a whole number of them, up to one less than `place` finds.
  package private(set) var sampleCount: Int
  /// Samples per channel in units of the stream's clock.
  private let unitCount: Int
  /// Whether the payload carries a coarse copy of the packet before it.
  let hasRedundancy: Bool
  /// Whether the payload says that the sender has fallen silent.
  let isDiscontinued: Bool
  /// Whether the payload is A-law of G.711; another one of a G.711 stream is mu-law.
  let isALaw: Bool

  /// Reads a payload; nil if it is not one of the codec or states a wrong length.
  @_noLocks
  init?(_ payload: UnsafeRawBufferPointer, payloadType: UInt8, codec: ReceiverCodec) {
    isALaw = codec.isALaw(payloadType: payloadType)
    switch codec {
    case .opus:
      let packet: OpusPayload
      do throws(OpusPayloadError) {
        packet = try OpusPayload(parsing: payload)
      } catch {
        return nil
      }
      sampleCount = packet.samplesPerChannel
      unitCount = sampleCount
      hasRedundancy = OpusRedundancy.isCarried(by: payload, packet)
      // So short a packet holds no sound; encoders send one when they fall silent.
      isDiscontinued = payload.count <= 2
    case .pcmu, .pcma, .linear16:
      guard let bytesPerSample = codec.bytesPerSample else { return nil }
      guard payload.count > 0, payload.count % bytesPerSample == 0 else { return nil }
      unitCount = payload.count / bytesPerSample
      sampleCount = StreamClock(rate: codec.clockRate).samples(unitCount)
      guard sampleCount > 0, sampleCount < codec.maximumSampleCount else { return nil }
      hasRedundancy = false
      isDiscontinued = false
    case .null:
      guard let null = NullPayload(parsing: payload) else { return nil }
      sampleCount = Int(null.sampleCount)
      unitCount = sampleCount
      hasRedundancy = false
      isDiscontinued = null.announcesPause
    }
  }
  /// Finds the samples of 48 kHz between the packet's begin and its end, so that packets in a row leave no gap.
  ///
  /// - Parameters:
  ///   - timestamp: timestamp of the packet in the stream's clock, without wraps.
  ///   - clock: the stream's clock.
  @_noLocks
  mutating func place(at timestamp: Int, _ clock: StreamClock) {
    sampleCount = clock.sampleCount(from: timestamp, units: unitCount)
  }
}
