import AudioGraph
import FrameObservers
import Synchronization

/// Keeps copies of the frames that an observer got. Thread: any.
final class FrameLog: Sendable {
  private let entries = Guarded<[AudioFrameCopy]>([])

  func append(_ frame: AudioFrameCopy) { entries.withLock { $0.append(frame) } }

  var frames: [AudioFrameCopy] { entries.withLock { $0 } }
  var count: Int { entries.withLock { $0.count } }

  /// All samples of channel `channel`, one frame after the other.
  func channel(_ channel: Int) -> [Int16] {
    frames.flatMap { frame in
      stride(from: channel, to: frame.samples.count, by: frame.channelCount).map { frame.samples[$0] }
    }
  }

  /// A request that logs every frame of `mask`.
  func request(
    at mask: ObserverPosition = .record, params: [ObserverPosition: AudioParams] = [:], isAsynchronous: Bool = false,
    capacity: Int = 50
  ) -> ObserverRequest {
    .readOnly(at: mask, params: params, isAsynchronous: isAsynchronous, capacity: capacity) { frame, _ in
      self.append(frame.copy())
    }
  }
}

/// Counts what happened. Thread: any.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)
  @discardableResult
  func add(_ amount: Int = 1) -> Int { value.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue }
  func set(_ newValue: Int) { value.store(newValue, ordering: .sequentiallyConsistent) }
  var count: Int { value.load(ordering: .sequentiallyConsistent) }
}

/// Integers in the order in which they came. Thread: any.
final class IntegerLog: Sendable {
  private let entries = Guarded<[Int]>([])
  func append(_ value: Int) { entries.withLock { $0.append(value) } }
  var values: [Int] { entries.withLock { $0 } }
}

/// Holds what a callback needs and is known only after its registration. Thread: any.
final class Box<Value: Sendable>: Sendable {
  private let content = Guarded<Value?>(nil)
  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
