import AudioGraph
import FrameObservers

/// Keeps the mono stream that an observer sees, from position 0 on, as Float32.
final class Collector: Sendable {
  private let streams = Guarded<[FrameOrigin: (calls: Int, samples: [Float])]>([:])

  func request(at mask: ObserverPosition) -> ObserverRequest {
    .readOnly(at: mask) { [self] frame, source in
      let plane = frame.plane(0)
      let first = min(plane.count, max(0, -frame.samplePosition))
      streams.withLock { streams in
        streams[source, default: (0, [])].calls += 1
        // In place and at once: this is called 100 times a second of sound.
        plane.withUnsafeBufferPointer { streams[source, default: (0, [])].samples.append(contentsOf: $0[first...]) }
      }
    }
  }

  func stream(_ source: FrameOrigin) -> [Float] { streams.withLock { $0[source]?.samples ?? [] } }

  func calls(_ source: FrameOrigin) -> Int { streams.withLock { $0[source]?.calls ?? 0 } }
}

enum Checks {
  /// The value, unknown to the optimiser.
  @inline(never) static func opaque(_ value: Float) -> Float { value }
}
