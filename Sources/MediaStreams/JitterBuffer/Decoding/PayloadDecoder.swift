import OpusCodec
import Platform

/// Decodes payloads of any codec into samples, and conceals missing ones as far as the codec can.
///
/// Shape: interleaved Float32 at 48 kHz. Thread: one at a time. Real-time: no lock, no allocation.
struct PayloadDecoder: ~Copyable {
  let codec: ReceiverCodec
  let channelCount: Int
  /// Decoder of Opus; nil for other codecs.
  private let opus: UnsafeMutablePointer<OpusDecoder>?
  /// Decoder of plain samples; nil for other codecs.
  private var linear: LinearDecoder?
  /// Null payloads with another source or number than expected.
  private(set) var mismatchCount = 0
  private var expectedSource: UInt32?
  private let isRelayed: Bool
  /// Whether payloads are decoded; false while nobody listens. Then each payload becomes as much silence as it holds
  /// sound.
  private(set) var isEnabled = true
  /// Samples per channel still to be faded in, since decoding has restarted in the middle of the sound.
  private var fadeLeft = 0

  /// Samples per channel of a fade-in: 10 ms.
  private static var fadeLength: Int { @_noLocks get { 480 } }

  /// - Parameter isRelayed: Whether the numbers of null payloads differ from those of their packets.
  init(_ codec: ReceiverCodec, channelCount: Int, isRelayed: Bool = false) throws(EngineError) {
    self.isRelayed = isRelayed
    self.codec = codec
    self.channelCount = channelCount
    linear = codec.bytesPerSample == nil ? nil : LinearDecoder(codec, channelCount: channelCount)
    guard codec == .opus else {
      opus = nil
      return
    }
    let decoder = try OpusDecoder(channelCount: channelCount)
    opus = .allocate(capacity: 1)
    opus!.initialize(to: decoder)
  }

  deinit {
    opus?.deinitialize(count: 1)
    opus?.deallocate()
  }

  /// Whether a missing packet can be concealed from the sound before it, rather than be silent.
  var conceals: Bool { @_noLocks get { opus != nil } }

  /// Decodes a payload of checked length.
  ///
  /// - Parameters:
  ///   - payload: bytes of the payload.
  ///   - packet: numbers of its packet, of which timestamp and count are in samples of 48 kHz.
  ///   - samples: memory for the samples.
  /// - Returns: samples per channel; 0 if the payload is broken after all.
  @_noLocks
  mutating func decode(
    _ payload: UnsafeRawBufferPointer, of packet: PacketSlot, into samples: UnsafeMutablePointer<Float>
  ) -> Int {
    if !isEnabled { return silence(packet.sampleCount, into: samples) }
    if let opus {
      do throws(OpusError) {
        return fadeIn(
          samples, try opus.pointee.decode(payload, into: samples, capacity: OpusDecoder.maximumSamplesPerPacket))
      } catch {
        return 0
      }
    }
    if case .null = codec { return decodeNull(payload, sequence: packet.sequence, into: samples) }
    linear?.decode(
      payload, isALaw: packet.isALaw, timestamp: packet.timestamp, count: packet.sampleCount, into: samples)
    return fadeIn(samples, packet.sampleCount)
  }

  /// Recovers the `count` samples before a payload from the redundancy in it.
  ///
  /// - Returns: `count`, or 0 if it is not possible.
  @_noLocks
  mutating func recover(before payload: UnsafeRawBufferPointer, into samples: UnsafeMutablePointer<Float>, count: Int)
    -> Int
  {
    guard let opus, isEnabled else { return 0 }
    do throws(OpusError) {
      return fadeIn(samples, try opus.pointee.recover(before: payload, into: samples, count: count))
    } catch {
      return 0
    }
  }

  /// Conceals `count` samples, a multiple of 120.
  @_noLocks
  mutating func conceal(into samples: UnsafeMutablePointer<Float>, count: Int) {
    if let opus, isEnabled {
      do throws(OpusError) {
        _ = try opus.pointee.conceal(into: samples, count: count)
        return
      } catch {}
    }
    for index in 0..<(count &* channelCount) { samples[index] = 0 }
  }

  /// Switches decoding on or off. Opus restarts as with a stream's first packet, and decoded sound is faded in over 10
  /// ms.
  @_noLocks
  mutating func setEnabled(_ isEnabled: Bool) {
    if isEnabled == self.isEnabled { return }
    self.isEnabled = isEnabled
    fadeLeft = PayloadDecoder.fadeLength
    opus?.pointee.reset()
    linear?.interrupt()
  }

  /// Forgets the stream.
  @_noLocks
  mutating func reset() {
    opus?.pointee.reset()
    linear?.reset()
    expectedSource = nil
    fadeLeft = 0
  }

  /// Continues a fade that is not over.
  ///
  /// - Returns: `count`.
  @_noLocks
  private mutating func fadeIn(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
    let fading = min(fadeLeft, count)
    for index in 0..<fading {
      let gain = Float(PayloadDecoder.fadeLength &- fadeLeft &+ index) / Float(PayloadDecoder.fadeLength)
      for channel in 0..<channelCount { samples[index &* channelCount &+ channel] *= gain }
    }
    fadeLeft &-= fading
    return count
  }

  @_noLocks
  private func silence(_ count: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
    for index in 0..<(count &* channelCount) { samples[index] = 0 }
    return count
  }

  /// Checks a null payload, and gives silence for it. The lower 16 bits of its number equal those of the packet, and
  /// the source stays the same.
  @_noLocks
  private mutating func decodeNull(
    _ payload: UnsafeRawBufferPointer, sequence: Int, into samples: UnsafeMutablePointer<Float>
  ) -> Int {
    guard let null = NullPayload(parsing: payload) else { return 0 }
    if let expectedSource, expectedSource != null.source {
      mismatchCount &+= 1
    } else if !isRelayed, UInt16(truncatingIfNeeded: null.sequence) != UInt16(truncatingIfNeeded: sequence) {
      mismatchCount &+= 1
    }
    if expectedSource == nil { expectedSource = null.source }
    let count = Int(null.sampleCount)
    for index in 0..<(count &* channelCount) { samples[index] = 0 }
    return count
  }
}
