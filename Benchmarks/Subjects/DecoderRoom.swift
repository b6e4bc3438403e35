import Engine
import OpusCodec

/// A decoder for each of so many users, and nothing around them: what libopus alone takes.
final class DecoderRoom {
  private let count: Int
  private let payloads: [[UInt8]]
  private let decoders: UnsafeMutablePointer<OpusDecoder>
  private let decoded = UnsafeMutablePointer<Float>.allocate(capacity: 5_760)
  private var made = 0
  private var next = 0

  init(count: Int, payloads: [[UInt8]]) throws {
    self.count = count
    self.payloads = payloads
    decoders = .allocate(capacity: count)
    for index in 0..<count {
      (decoders + index).initialize(to: try OpusDecoder(channelCount: 1))
      made += 1
    }
  }

  deinit {
    decoders.deinitialize(count: made)
    decoders.deallocate()
    decoded.deallocate()
  }

  /// Has each decode its next packet of 20 ms. Returns: nanoseconds for a frame of 10 ms.
  func step() -> Double {
    let start = Bench.nanoseconds()
    for index in 0..<count {
      payloads[next % payloads.count].withUnsafeBytes {
        _ = try? decoders[index].decode($0, into: decoded, capacity: 5_760)
      }
    }
    next += 1
    return (Bench.nanoseconds() - start) / 2
  }
}
