import AudioGraph
import FrameObservers

/// Running checksums of what a read-only observer sees at each position, without the samples of the delay.
final class Checksums: Sendable {
  private let state = Guarded<[UInt32: UInt64]>([:])

  var sums: [ObserverPosition: UInt64] {
    state.withLock { state in
      Dictionary(uniqueKeysWithValues: state.map { (ObserverPosition(rawValue: $0), $1) })
    }
  }

  func request(end: Int) -> ObserverRequest {
    .readOnly(at: ObserverPosition(ObserverPosition.each)) { [self] frame, source in
      state.withLock { state in
        var sum = state[source.position.rawValue] ?? Self.start
        let samples = frame.samples
        for index in 0..<frame.samplesPerChannel {
          guard (0..<end).contains(frame.samplePosition + index) else { continue }
          for channel in 0..<frame.channelCount {
            Self.add(samples[index * frame.channelCount + channel], to: &sum)
          }
        }
        state[source.position.rawValue] = sum
      }
    }
  }

  /// FNV-1a over 16-bit samples, channels interleaved.
  static func sum(_ planes: [[Float]]) -> UInt64 {
    var sum = start
    for index in planes[0].indices {
      for plane in planes { add(Int16(max(-32_768, min(32_767, plane[index] * 32_768))), to: &sum) }
    }
    return sum
  }

  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func add(_ sample: Int16, to sum: inout UInt64) {
    sum = (sum ^ UInt64(UInt16(bitPattern: sample))) &* 0x100_0000_01B3
  }
}
