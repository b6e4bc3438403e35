import AudioGraph
import FrameObservers

/// Keeps the mono stream that an observer sees, from position 0 on, as Float32.
final class Collector: Sendable {
  private let streams = Guarded<[FrameOrigin: (calls: Int, samples: [Float])]>([:])

  func request(at mask: ObserverPosition) -> ObserverRequest {
    .readOnly(at: mask) { [self] frame, source in
      streams.withLock { streams in
        var stream = streams[source] ?? (0, [])
        stream.calls += 1
        let plane = frame.plane(0)
        for index in plane.indices where frame.samplePosition + index >= 0 { stream.samples.append(plane[index]) }
        streams[source] = stream
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
