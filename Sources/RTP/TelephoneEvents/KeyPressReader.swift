/// Makes key presses of packets: all packets of one have its beginning's timestamp, and its end comes three times.
///
/// Thread: one at a time. Source: RFC 4733, sections 2.5.1.3 and 2.5.1.4.
public struct KeyPressReader: Sendable {
  private struct Pressed {
    var timestamp: UInt32
    var event: TelephoneEvent
    var begin: Int
    var newest: Int
    /// Units of the timestamp that the key was pressed in the packets' earlier segments.
    var earlierDuration = 0

    /// Whether a packet with another timestamp tells of the same press: durations have 16 bits, so a longer press has
    /// several segments, each of which begins where the one before ends.
    func goesOn(in next: TelephoneEvent, timestamp next32: UInt32) -> Bool {
      let step = Int(Int32(bitPattern: next32 &- timestamp))
      return next.event == event.event && !event.isEnd && step > 0 && step <= Int(UInt16.max)
        && step >= Int(event.duration) && Int(event.duration) > Int(UInt16.max) - 4_800
    }
  }

  /// How the stream carries key presses.
  public let format: TelephoneEventFormat
  private var pressed: Pressed?
  /// The timestamp of the newest key that was let go: more packets of it may come.
  private var ended: UInt32?
  /// Key presses that are over and were not taken.
  private var finished: [KeyPress] = []
  /// Without a packet for so long the key was let go, and the packets that say so are lost.
  private static let longestGapNanoseconds = 500_000_000

  /// A reader that no packet has come to.
  public init(_ format: TelephoneEventFormat) { self.format = format }

  /// Takes a packet with this timestamp.
  public mutating func receive(_ event: TelephoneEvent, timestamp: UInt32, nowNanoseconds now: Int) {
    guard timestamp != ended else { return }
    if let pressed, pressed.timestamp != timestamp {
      // A packet that was overtaken by a newer key's.
      guard Int32(bitPattern: timestamp &- pressed.timestamp) > 0 else { return }
      if pressed.goesOn(in: event, timestamp: timestamp) {
        let step = Int(timestamp &- pressed.timestamp)
        self.pressed = Pressed(
          timestamp: timestamp, event: event, begin: pressed.begin, newest: now,
          earlierDuration: pressed.earlierDuration + step)
      } else {
        finish()
      }
    }
    var press = pressed ?? Pressed(timestamp: timestamp, event: event, begin: now, newest: now)
    press.newest = now
    if event.duration >= press.event.duration { press.event = event }
    pressed = press
    if event.isEnd { finish() }
  }

  /// Takes the key presses that are over.
  public mutating func take(nowNanoseconds now: Int) -> [KeyPress] {
    if let pressed, now - pressed.newest > Self.longestGapNanoseconds { finish() }
    defer { finished = [] }
    return finished
  }

  /// Takes all key presses, as the stream has ended.
  public mutating func takeAll() -> [KeyPress] {
    finish()
    defer { finished = [] }
    return finished
  }

  private mutating func finish() {
    guard let press = pressed else { return }
    let clockRate = max(1, format.clockRate)
    pressed = nil
    ended = press.timestamp
    guard let digit = press.event.digit else { return }
    finished.append(
      KeyPress(
        digit: digit, nanoseconds: press.begin,
        durationMilliseconds: ((press.earlierDuration + Int(press.event.duration)) * 1_000 + clockRate / 2) / clockRate)
    )
  }
}
