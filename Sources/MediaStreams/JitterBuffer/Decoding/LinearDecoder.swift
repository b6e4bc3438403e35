import DSP

/// Decodes payloads of plain samples (PCMU, PCMA, L16) into sound of 48 kHz.
///
/// Other channels than those of the output are mixed as Opus does: two become their mean, one is repeated. At 48 kHz
/// samples come out as they are. Real-time: wait-free.
struct LinearDecoder: ~Copyable {
  private let codec: ReceiverCodec
  private let inputChannels: Int
  private let outputChannels: Int
  private let clock: StreamClock
  /// Owners of the samples below.
  private let tables: (muLaw: CompandingTable, aLaw: CompandingTable)?
  /// Sample of each byte; nil for L16.
  private let expandedMuLaw: UnsafePointer<Float>?
  private let expandedALaw: UnsafePointer<Float>?
  private var upsampler: LinearUpsampler
  /// Timestamp that continues the newest packet, in samples of 48 kHz; nil before the first.
  private var nextTimestamp: Int?

  /// Creates a decoder for a codec with plain samples.
  init(_ codec: ReceiverCodec, channelCount: Int) {
    self.codec = codec
    outputChannels = channelCount
    inputChannels = codec.channelCount
    tables =
      switch codec {
      case .pcmu, .pcma: (CompandingTable(.muLaw), CompandingTable(.aLaw))
      case .opus, .linear16, .null: nil
      }
    expandedMuLaw = tables?.muLaw.samples
    expandedALaw = tables?.aLaw.samples
    clock = StreamClock(rate: codec.clockRate)
    upsampler = LinearUpsampler(clock, channelCount: min(inputChannels, channelCount))
  }

  /// Decodes a payload of checked length.
  ///
  /// - Parameters:
  ///   - payload: bytes of the payload.
  ///   - isALaw: whether a payload of G.711 is A-law, and not mu-law.
  ///   - timestamp: timestamp of the packet, in samples of 48 kHz.
  ///   - count: samples per channel of 48 kHz that the packet stands for.
  ///   - samples: memory for the interleaved samples.
  @_noLocks
  mutating func decode(
    _ payload: UnsafeRawBufferPointer, isALaw: Bool = false, timestamp: Int, count: Int,
    into samples: UnsafeMutablePointer<Float>
  ) {
    let inputCount = payload.count / (codec.bytesPerSample ?? 1)
    let isFirst = nextTimestamp == nil
    let isContinuous = isFirst || nextTimestamp == timestamp
    nextTimestamp = timestamp &+ count
    let channels = upsampler.channelCount
    for channel in 0..<channels { read(payload, isALaw, inputCount, channel, into: upsampler.input(channel)) }
    if clock.samplesPerCycle == clock.perCycle {
      for channel in 0..<channels {
        let plane = upsampler.input(channel)
        for index in 0..<count { samples[index &* channels &+ channel] = plane[index] }
      }
    } else {
      upsampler.convert(inputCount, at: timestamp, count: count, isContinuous: isContinuous, into: samples)
    }
    guard channels < outputChannels else { return }
    var index = count
    while index > 0 {
      index &-= 1
      (samples[2 &* index], samples[2 &* index &+ 1]) = (samples[index], samples[index])
    }
  }

  /// Forgets the stream.
  @_noLocks
  mutating func reset() {
    nextTimestamp = nil
    upsampler.reset()
  }

  /// Notes that packets have passed without being decoded.
  @_noLocks
  mutating func interrupt() { if case .some = nextTimestamp { nextTimestamp = .min } }

  /// Expands the samples of a channel of the output.
  @_noLocks
  private func read(
    _ payload: UnsafeRawBufferPointer, _ isALaw: Bool, _ count: Int, _ channel: Int,
    into plane: UnsafeMutablePointer<Float>
  ) {
    guard let base = payload.baseAddress else { return }
    if let expanded = isALaw ? expandedALaw : expandedMuLaw {
      for index in 0..<count { plane[index] = expanded[Int(payload[index])] }
      return
    }
    let isMean = inputChannels > outputChannels
    for index in 0..<count {
      let place = 2 &* (index &* inputChannels &+ channel)
      let value = Float(Int16(bigEndian: base.loadUnaligned(fromByteOffset: place, as: Int16.self))) * 0x1p-15
      if isMean {
        let other = Int16(bigEndian: base.loadUnaligned(fromByteOffset: place &+ 2, as: Int16.self))
        plane[index] = (value + Float(other) * 0x1p-15) / 2
      } else {
        plane[index] = value
      }
    }
  }
}
