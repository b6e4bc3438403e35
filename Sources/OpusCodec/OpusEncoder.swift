public import Platform

/// Encodes 48 kHz sound into Opus packets.
///
/// Source: RFC 6716. Thread: one at a time. All memory is allocated in `init`.
public struct OpusEncoder: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): non-copyable, so the library's state is never on two threads.

  /// Maximum of bytes in a packet of at most 20 ms.
  public static var maximumPacketByteCount: Int { @_noLocks get { 1_276 } }

  /// Channels, 1 or 2.
  public let channelCount: Int
  /// Samples per channel in a packet.
  public private(set) var samplesPerPacket: Int
  /// Samples per channel by which decoded sound lags behind (RFC 7845: pre-skip).
  public let preSkip: Int
  private let encoder: OpaquePointer

  /// Creates an encoder.
  ///
  /// - Throws: `EngineError.Code.invalidArgument` for options out of range, `general` if libopus refuses.
  public init(channelCount: Int, options: OpusOptions) throws(EngineError) {
    guard channelCount == 1 || channelCount == 2 else {
      throw EngineError(.invalidArgument, "Opus cannot encode \(channelCount) channels here; use 1 or 2")
    }
    try options.validate()
    let encoder: OpaquePointer
    switch OpusLibrary.makeEncoder(channelCount: channelCount, application: options.application) {
    case .success(let made): encoder = made
    case .failure(let error): throw EngineError(.general, error.description, cause: error)
    }
    // Everything is settled before the first stored property is set: a throwing init has no deinit.
    let code = OpusLibrary.configure(encoder, options)
    guard code == 0 else {
      OpusLibrary.destroyEncoder(encoder)
      let error = OpusError(.configure, code: code)
      throw EngineError(.general, error.description, cause: error)
    }
    switch OpusLibrary.lookAhead(encoder) {
    case .success(let samples): preSkip = samples
    case .failure(let error):
      OpusLibrary.destroyEncoder(encoder)
      throw EngineError(.general, error.description, cause: error)
    }
    self.encoder = encoder
    self.channelCount = channelCount
    samplesPerPacket = 480 * options.packetDuration.frameCount
  }

  deinit { OpusLibrary.destroyEncoder(encoder) }

  /// Changes everything but the application from the next packet on; the caller has validated `options`.
  ///
  /// Real-time: no lock, no allocation.
  ///
  /// - Throws: if libopus refuses an option; the rest holds.
  @_noLocks
  public mutating func configure(_ options: OpusOptions) throws(OpusError) {
    samplesPerPacket = 480 &* options.packetDuration.frameCount
    let code = OpusLibrary.configure(encoder, options)
    guard code == 0 else { throw OpusError(.configure, code: code) }
  }

  /// Encodes one packet.
  ///
  /// Shape: `samplesPerPacket` x `channelCount` interleaved samples, nominal range -1...1. Real-time: no lock, no
  /// allocation; 40 to 250 µs.
  ///
  /// - Returns: bytes of the packet; the payload is valid to the next call.
  @_noLocks
  public mutating func encode(
    _ samples: UnsafePointer<Float>, into packet: UnsafeMutableRawBufferPointer
  ) throws(OpusError) -> Int {
    guard let base = packet.baseAddress, packet.count > 0 else {
      throw OpusError(.encode, code: OpusLibrary.bufferTooSmall)
    }
    let result = OpusLibrary.encode(
      encoder, samples, samplesPerChannel: samplesPerPacket, base.assumingMemoryBound(to: UInt8.self),
      capacity: min(packet.count, OpusEncoder.maximumPacketByteCount))
    guard result >= 0 else { throw OpusError(.encode, code: result) }
    return Int(result)
  }

  /// Returns a sample as the library can take it: from 80 dB over full scale on, it gives silence for sound that is
  /// only far too loud. NaN becomes 0.
  @_noLocks @inlinable @inline(__always)
  package static func bounded(_ sample: Float) -> Float {
    if sample > -1_000 { return sample < 1_000 ? sample : 1_000 }
    return sample <= -1_000 ? -1_000 : 0
  }
}
