public import Platform

/// Decodes Opus packets into 48 kHz sound.
///
/// Source: RFC 6716. Thread: one at a time. All memory is allocated in `init`.
public struct OpusDecoder: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): non-copyable, so the library's state is never on two threads.

  /// Maximum of samples per channel in a packet: 120 ms.
  public static var maximumSamplesPerPacket: Int { @_noLocks get { 5_760 } }

  /// Channels of the output, 1 or 2, regardless of those in the packets.
  public let channelCount: Int
  private let decoder: OpaquePointer

  /// Creates a decoder.
  ///
  /// - Parameter channelCount: channels of the output, 1 or 2.
  /// - Throws: `EngineError.Code.invalidArgument` for a channel count out of range, `general` if libopus refuses.
  public init(channelCount: Int) throws(EngineError) {
    guard channelCount == 1 || channelCount == 2 else {
      throw EngineError(.invalidArgument, "Opus cannot decode to \(channelCount) channels here; use 1 or 2")
    }
    switch OpusLibrary.makeDecoder(channelCount: channelCount) {
    case .success(let made): decoder = made
    case .failure(let error): throw EngineError(.general, error.description, cause: error)
    }
    self.channelCount = channelCount
  }

  deinit { OpusLibrary.destroyDecoder(decoder) }

  /// Decodes a packet.
  ///
  /// Shape: `capacity` x `channelCount` interleaved samples. Real-time: no lock, no allocation; about 20 µs.
  ///
  /// - Returns: samples per channel.
  /// - Throws: if the packet is broken or holds more than `capacity` samples a channel; the caller conceals.
  @_noLocks
  public mutating func decode(
    _ packet: UnsafeRawBufferPointer, into samples: UnsafeMutablePointer<Float>, capacity: Int
  ) throws(OpusError) -> Int {
    let count = try OpusDecoder.sampleCount(of: packet)
    guard count <= capacity else { throw OpusError(.decode, code: OpusLibrary.bufferTooSmall) }
    return try run(packet, samples, capacity, recoversPrevious: false)
  }

  /// Conceals `count` samples per channel of a lost packet.
  ///
  /// Shape: `count` is a multiple of 120 (2.5 ms), at most `maximumSamplesPerPacket`.
  @_noLocks
  public mutating func conceal(into samples: UnsafeMutablePointer<Float>, count: Int) throws(OpusError) -> Int {
    try run(UnsafeRawBufferPointer(start: nil, count: 0), samples, count, recoversPrevious: false)
  }

  /// Recovers the `count` samples per channel before `packet` from the redundancy in it; conceals if it has none.
  @_noLocks
  public mutating func recover(
    before packet: UnsafeRawBufferPointer, into samples: UnsafeMutablePointer<Float>, count: Int
  ) throws(OpusError) -> Int {
    _ = try OpusDecoder.sampleCount(of: packet)
    return try run(packet, samples, count, recoversPrevious: true)
  }

  /// Forgets all packets: the next one is decoded as the first of a stream.
  @_noLocks
  public mutating func reset() { OpusLibrary.reset(decoder) }

  /// Returns the samples per channel that a packet says it holds, checked to be 1...5760.
  @_noLocks
  public static func sampleCount(of packet: UnsafeRawBufferPointer) throws(OpusError) -> Int {
    guard let base = packet.baseAddress, packet.count > 0 else {
      throw OpusError(.decode, code: OpusLibrary.invalidPacket)
    }
    let count = OpusLibrary.sampleCount(base.assumingMemoryBound(to: UInt8.self), byteCount: packet.count)
    guard count > 0 else { throw OpusError(.decode, code: count < 0 ? count : OpusLibrary.invalidPacket) }
    guard count <= OpusDecoder.maximumSamplesPerPacket else {
      throw OpusError(.decode, code: OpusLibrary.invalidPacket)
    }
    return Int(count)
  }

  @_noLocks
  private mutating func run(
    _ packet: UnsafeRawBufferPointer, _ samples: UnsafeMutablePointer<Float>, _ count: Int, recoversPrevious: Bool
  ) throws(OpusError) -> Int {
    let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = OpusLibrary.decode(
      decoder, bytes, byteCount: packet.count, samples, samplesPerChannel: count, recoversPrevious: recoversPrevious)
    guard result >= 0 else { throw OpusError(.decode, code: result) }
    return Int(result)
  }
}
