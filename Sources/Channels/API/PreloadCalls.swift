import Signalling

/// Calls that wait for the transport of a preload, by its number.
struct PreloadCalls {
  typealias Completion = @Sendable (Result<Void, ChannelError>) -> Void

  private var waiting: [Int: Completion] = [:]

  mutating func add(_ number: Int, _ completion: @escaping Completion) { waiting[number] = completion }

  mutating func take(_ number: Int) -> Completion? { waiting.removeValue(forKey: number) }

  mutating func takeAll() -> [Completion] {
    defer { waiting = [:] }
    return Array(waiting.values)
  }
}
