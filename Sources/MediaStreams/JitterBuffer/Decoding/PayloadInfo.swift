import RTP

/// Facts that a payload states about itself before it is decoded.
package struct PayloadInfo: BitwiseCopyable {
  /// Samples per channel.
  package let sampleCount: Int
  /// Whether the payload carries a coarse copy of the packet before it.
  let hasRedundancy: Bool
  /// Whether the payload says that the sender has fallen silent.
  let isDiscontinued: Bool

  /// Maximum of samples per channel in a packet: 120 ms.
  static var maximumSampleCount: Int { @_noLocks get { 5_760 } }

  /// Reads a payload; nil if it is not one of the codec or states a wrong length.
  @_noLocks
  init?(_ payload: UnsafeRawBufferPointer, codec: ReceiverCodec, channelCount: Int) {
    switch codec {
    case .opus:
      let packet: OpusPayload
      do throws(OpusPayloadError) {
        packet = try OpusPayload(parsing: payload)
      } catch {
        return nil
      }
      sampleCount = packet.samplesPerChannel
      hasRedundancy = OpusRedundancy.isCarried(by: payload, packet)
      // So short a packet holds no sound; encoders send one when they fall silent.
      isDiscontinued = payload.count <= 2
    case .linear16:
      let bytesPerSample = 2 &* channelCount
      guard payload.count > 0, payload.count % bytesPerSample == 0 else { return nil }
      sampleCount = payload.count / bytesPerSample
      guard sampleCount <= PayloadInfo.maximumSampleCount else { return nil }
      hasRedundancy = false
      isDiscontinued = false
    case .null:
      guard let null = NullPayload(parsing: payload) else { return nil }
      sampleCount = Int(null.sampleCount)
      hasRedundancy = false
      isDiscontinued = null.announcesPause
    }
  }
}
