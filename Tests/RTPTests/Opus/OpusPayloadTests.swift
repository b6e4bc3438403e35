import COpus
import RTP
import RTPTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OpusPayloadTests {
  private func payload(_ bytes: [UInt8]) -> OpusPayload? {
    withGuarded(bytes) { try? OpusPayload(parsing: UnsafeRawBufferPointer($0)) }
  }

  /// Frames and samples of a packet by libopus; nil = it is invalid.
  private func reference(_ bytes: [UInt8]) -> (frames: Int, samples: Int, isStereo: Bool)? {
    guard !bytes.isEmpty else { return nil }
    var sizes = [opus_int16](repeating: 0, count: 48)
    var toc: UInt8 = 0
    var offset: Int32 = 0
    let frames = opus_packet_parse(bytes, Int32(bytes.count), &toc, nil, &sizes, &offset)
    guard frames > 0 else { return nil }
    let samples = opus_packet_get_nb_samples(bytes, Int32(bytes.count), 48_000)
    return (Int(frames), Int(samples), opus_packet_get_nb_channels(bytes) == 2)
  }

  @Test("libopus and the parser agree on validity, frames and samples")
  func libopus() {
    var random = SeededGenerator(seed: 11)
    var counts = (valid: 0, invalid: 0)
    // An expectation for each would take longer than all else.
    var faults: [String] = []
    for _ in 0..<60_000 {
      // Sizes that make sense are rare in noise: small packets of few bytes, and now and then a large one.
      let count =
        Int.random(in: 0..<50, using: &random) == 0
        ? Int.random(in: 1200...1400, using: &random) : Int.random(in: 0...30, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 1, Bool.random(using: &random) { bytes[1] &= 0xC3 }
      let (found, expected) = (payload(bytes), reference(bytes))
      guard let expected else {
        counts.invalid += 1
        if found != nil { faults.append("libopus refuses \(bytes.prefix(8)) of \(count)") }
        continue
      }
      counts.valid += 1
      // Up to 120 ms: libopus's parser does not look at it for one or two frames, which cannot be longer.
      let isSame =
        found?.frameCount == expected.frames && found?.samplesPerChannel == expected.samples
        && found?.isStereo == expected.isStereo
      if !isSame { faults.append("libopus reads \(expected) in \(bytes.prefix(8)) of \(count)") }
    }
    #expect(faults.isEmpty, "\(faults.prefix(5))")
    #expect(counts.valid > 10_000 && counts.invalid > 5_000, "both kinds are tried: \(counts)")
  }

  @Test("all configurations have the mode, duration and bandwidth of RFC 6716")
  func configurations() {
    // Milliseconds of the 32 configurations.
    let silk = [10.0, 20, 40, 60]
    let celt = [2.5, 5, 10, 20]
    for configuration in 0..<32 {
      let found = payload([UInt8(configuration << 3)])
      let expected: (OpusPayload.Mode, Double) =
        switch configuration {
        case 0..<12: (.silk, silk[configuration % 4])
        case 12..<16: (.hybrid, silk[configuration % 2])
        default: (.celt, celt[configuration % 4])
        }
      #expect(
        found?.mode == expected.0 && found?.samplesPerFrame == Int(expected.1 * 48), "configuration \(configuration)")
      let bandwidths: [Int32: OpusPayload.Bandwidth] = [
        OPUS_BANDWIDTH_NARROWBAND: .narrow, OPUS_BANDWIDTH_MEDIUMBAND: .medium, OPUS_BANDWIDTH_WIDEBAND: .wide,
        OPUS_BANDWIDTH_SUPERWIDEBAND: .superWide, OPUS_BANDWIDTH_FULLBAND: .full,
      ]
      #expect(found?.bandwidth == bandwidths[opus_packet_get_bandwidth([UInt8(configuration << 3)])])
      #expect(found?.frameCount == 1 && found?.isStereo == false && found?.paddingByteCount == 0)
    }
  }

  private func failure(_ bytes: [UInt8]) -> OpusPayloadError? {
    withGuarded(bytes) { memory in
      do throws(OpusPayloadError) {
        _ = try OpusPayload(parsing: UnsafeRawBufferPointer(memory))
        return nil
      } catch { return error }
    }
  }

  @Test("each broken requirement of RFC 6716, section 3.4, has its own error")
  func requirements() {
    let silk20: UInt8 = 1 << 3
    // R1: at least one byte.
    #expect(failure([]) == .empty)
    // R2: frames of at most 1275 bytes.
    #expect(failure([silk20] + [UInt8](repeating: 0, count: 1275)) == nil)
    #expect(failure([silk20] + [UInt8](repeating: 0, count: 1276)) == .frameSize)
    // R3: two equal frames take an odd packet.
    #expect(failure([silk20 | 1, 1, 2]) == nil)
    #expect(failure([silk20 | 1, 1, 2, 3]) == .unequalFrames)
    // R4: the first frame's size is there and lies within.
    #expect(failure([silk20 | 2]) == .truncated)
    #expect(failure([silk20 | 2, 252]) == .truncated)
    #expect(failure([silk20 | 2, 2, 7]) == .truncated)
    #expect(failure([silk20 | 2, 1, 7]) == nil)
    // R5: at least one frame, at most 120 ms.
    #expect(failure([silk20 | 3]) == .truncated)
    #expect(failure([silk20 | 3, 0]) == .duration)
    #expect(failure([silk20 | 3, 6]) == nil)
    #expect(failure([silk20 | 3, 7]) == .duration)
    // R6: equal frames fill what padding leaves.
    #expect(failure([silk20 | 3, 2, 1, 2]) == nil)
    #expect(failure([silk20 | 3, 2, 1, 2, 3]) == .unequalFrames)
    #expect(failure([silk20 | 3, 0x42, 1, 1, 2, 0]) == nil)
    #expect(failure([silk20 | 3, 0x41, 3, 0, 0]) == .truncated)
    #expect(failure([silk20 | 3, 0x41, 255]) == .truncated)
    // R7: frames of their own sizes.
    #expect(failure([silk20 | 3, 0x82, 1, 9, 8, 7]) == nil)
    #expect(failure([silk20 | 3, 0x82, 5, 9]) == .truncated)
  }

  @Test("padding is counted with its length bytes")
  func padding() {
    let silk20: UInt8 = 1 << 3
    #expect(payload([silk20 | 3, 0x41, 2, 7, 0, 0])?.paddingByteCount == 3)
    #expect(payload([silk20 | 3, 0x41, 255, 1, 7] + [UInt8](repeating: 0, count: 255))?.paddingByteCount == 257)
  }
}
