import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10)))
struct ALSASampleFormatTests {
  private static let integers: [(ALSASampleFormat, Int)] = [
    (.int32, 32), (.int24In32, 24), (.int24, 24), (.int16, 16), (.uint8, 8),
  ]

  private func encode(_ samples: [Float], _ format: ALSASampleFormat) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count * format.byteCount) { bytes, count in
      format.encode(samples, bytes.baseAddress!, count: samples.count)
      count = samples.count * format.byteCount
    }
  }

  private func decode(_ bytes: [UInt8], _ format: ALSASampleFormat) -> [Float] {
    let count = bytes.count / format.byteCount
    return [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      bytes.withUnsafeBytes { format.decode($0.baseAddress!, samples.baseAddress!, count: count) }
      initialized = count
    }
  }

  /// Reads an integer bit by bit, apart from the code under test.
  private func integer(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int {
    if bits == 8 { return Int(bytes.first!) - 128 }
    let raw = bytes.prefix(bits / 8).reversed().reduce(0) { $0 * 256 + Int($1) }
    return raw >= 1 << (bits - 1) ? raw - 1 << bits : raw
  }

  @Test("full scale saturates and NaN is silent", arguments: integers)
  func saturation(format: ALSASampleFormat, bits: Int) {
    let highest = 1 << (bits - 1) - 1
    let samples: [Float] = [0, 1, -1, 1.5, -1.5, .infinity, -.infinity, .nan]
    let expected = [0, highest, -highest - 1, highest, -highest - 1, highest, -highest - 1, 0]
    let bytes = encode(samples, format)
    for index in samples.indices {
      let slice = bytes[(index * format.byteCount)..<((index + 1) * format.byteCount)]
      #expect(integer(slice, bits: bits) == expected[index], "\(samples[index])")
    }
  }

  @Test("samples are rounded to the nearest integer", arguments: integers)
  func rounding(format: ALSASampleFormat, bits: Int) {
    let seed: UInt64 = 1
    var random = SeededGenerator(seed: seed)
    let samples = (0..<2000).map { _ in Float.random(in: -1...1, using: &random) }
    let bytes = encode(samples, format)
    let scale = Double(1 << (bits - 1))
    for index in samples.indices {
      let slice = bytes[(index * format.byteCount)..<((index + 1) * format.byteCount)]
      let exact = min(Double(samples[index]) * scale, scale - 1)
      #expect(abs(Double(integer(slice, bits: bits)) - exact) <= 0.5, "seed \(seed): \(samples[index])")
    }
  }

  @Test("integers survive the round trip", arguments: integers.filter { $0.1 <= 24 })
  func roundTrip(format: ALSASampleFormat, bits: Int) {
    let scale = Float(1 << (bits - 1))
    let edges: [Float] = [-scale, -scale + 1, -1, 0, 1, scale - 1]
    let samples = edges.map { $0 / scale }
    #expect(decode(encode(samples, format), format) == samples)
  }

  @Test("the undefined high byte of 24 bits in 32 is ignored")
  func highByte() {
    #expect(decode([1, 0, 0, 0xA5, 0xFF, 0xFF, 0xFF, 0], .int24In32) == [0x1p-23, -0x1p-23])
  }

  @Test("floats pass unchanged, but NaN becomes silence")
  func floats() {
    #expect(decode(encode([0.5, -1.25, .nan], .float32), .float32) == [0.5, -1.25, 0])
  }

  @Test("the most exact layout is preferred")
  func preference() {
    #expect(ALSASampleFormat.allCases == [.float32, .int32, .int24In32, .int24, .int16, .uint8])
  }
}
