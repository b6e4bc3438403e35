import TestSupport
import Testing

@testable import DataStreams

@Suite(.timeLimit(.minutes(10))) struct DataReceiverTests {
  private static let millisecond = 1_000_000

  /// Receives messages of user 7's stream 1, whose text is their number.
  private struct Rig {
    var receiver = DataReceiver()
    let isReliable: Bool
    let isOrdered: Bool

    mutating func receive(_ number: UInt32, packet: Int = 0, lowestMissing: Int? = nil, at milliseconds: Int) {
      let header = DataMessageHeader(
        uid: 7, stream: 1, isReliable: isReliable, isOrdered: isOrdered, number: number)
      var bytes = [UInt8](repeating: 0, count: DataMessageHeader.byteCount)
      bytes.withUnsafeMutableBytes { header.write(to: $0) }
      bytes += Array("\(number)".utf8)
      let isMessage = bytes.withUnsafeBytes {
        receiver.receive($0, packet: packet, lowestMissing: lowestMissing, milliseconds * millisecond)
      }
      #expect(isMessage)
    }

    mutating func poll(_ milliseconds: Int, lowestMissing: Int? = nil) {
      receiver.poll(lowestMissing: lowestMissing, milliseconds * millisecond)
    }

    /// What has come: numbers, and "missed/cached".
    mutating func events() -> [String] {
      var texts: [String] = []
      while let event = receiver.takeEvent() {
        switch event {
        case .message(let uid, let stream, let bytes):
          #expect(uid == 7 && stream == 1)
          texts.append(String(decoding: bytes, as: UTF8.self))
        case .missed(_, _, let missed, let cached): texts.append("\(missed)/\(cached)")
        }
      }
      return texts
    }
  }

  @Test("a reliable ordered message waits for an earlier one", .shows("C17"))
  func reliableOrdered() {
    var rig = Rig(isReliable: true, isOrdered: true)
    for (number, time) in [(10, 0), (12, 30), (13, 60)] { rig.receive(UInt32(number), at: time) }
    #expect(rig.events() == ["10"])
    rig.receive(11, at: 150)
    #expect(rig.events() == ["11", "12", "13"])
    #expect(rig.receiver.nextDeadlineNanoseconds == nil)
  }

  @Test("a reliable ordered message is given up after 2 s, with its count", .shows("C17"))
  func givenUp() {
    var rig = Rig(isReliable: true, isOrdered: true)
    for number: UInt32 in [10, 13, 14, 16] { rig.receive(number, at: 0) }
    #expect(rig.events() == ["10"])
    rig.poll(1_999)
    #expect(rig.events() == [] && rig.receiver.nextDeadlineNanoseconds == 2_000 * Self.millisecond)
    rig.poll(2_000)
    // 11, 12 and 15 are missed; 13, 14 and 16 have waited.
    #expect(rig.events() == ["3/3", "13", "14", "16"])
    rig.receive(17, at: 2_010)
    rig.receive(15, at: 2_020)
    #expect(rig.events() == ["17"])
  }

  @Test("gaps of different times are given up one by one")
  func twoGaps() {
    var rig = Rig(isReliable: true, isOrdered: true)
    for (number, time) in [(10, 0), (12, 0), (14, 500)] { rig.receive(UInt32(number), at: time) }
    rig.poll(2_000)
    #expect(rig.events() == ["10", "1/2", "12"])
    rig.poll(2_500)
    #expect(rig.events() == ["1/1", "14"])
  }

  @Test("a reliable unordered message does not wait, and a gap ends after 2 s", .shows("C17"))
  func reliableUnordered() {
    var rig = Rig(isReliable: true, isOrdered: false)
    for number: UInt32 in [10, 12, 13] { rig.receive(number, at: 0) }
    #expect(rig.events() == ["10", "12", "13"])
    rig.receive(15, at: 100)
    rig.receive(11, at: 900)
    #expect(rig.events() == ["15", "11"])
    rig.poll(2_100)
    #expect(rig.events() == ["1/0"])
  }

  @Test("an unreliable message comes as it is, and a gap is told after 200 ms", .shows("C17"))
  func unreliable() {
    var rig = Rig(isReliable: false, isOrdered: false)
    for number: UInt32 in [10, 13, 12] { rig.receive(number, at: 0) }
    rig.poll(199)
    #expect(rig.events() == ["10", "13", "12"])
    rig.poll(200)
    #expect(rig.events() == ["1/0"])
  }

  @Test("an ordered unreliable message behind a later one is missed", .shows("C17"))
  func unreliableOrdered() {
    var rig = Rig(isReliable: false, isOrdered: true)
    for number: UInt32 in [10, 12, 11, 13] { rig.receive(number, at: 0) }
    #expect(rig.events() == ["10", "1/0", "12", "13"])
  }

  @Test("numbers wrap", arguments: [true, false])
  func wraps(isOrdered: Bool) {
    var rig = Rig(isReliable: true, isOrdered: isOrdered)
    for number: UInt32 in [.max - 1, 0, .max, 1] { rig.receive(number, at: 0) }
    let texts = [UInt32.max - 1, 0, .max, 1].map { "\($0)" }
    #expect(rig.events() == (isOrdered ? [texts[0], texts[2], texts[1], texts[3]] : texts))
    #expect(rig.receiver.nextDeadlineNanoseconds == nil)
  }

  @Test("the first messages keep their order if an earlier packet is awaited")
  func firstMessages() {
    var rig = Rig(isReliable: true, isOrdered: true)
    // Packet 1, with message 40, was lost.
    rig.receive(41, packet: 2, lowestMissing: 1, at: 0)
    rig.receive(42, packet: 3, lowestMissing: 1, at: 30)
    #expect(rig.events() == [])
    rig.receive(40, packet: 1, at: 120)
    rig.poll(120)
    #expect(rig.events() == ["40", "41", "42"])
  }

  @Test("the wait for a first message ends after 600 ms")
  func firstMessageLost() {
    var rig = Rig(isReliable: true, isOrdered: true)
    rig.receive(41, packet: 2, lowestMissing: 1, at: 0)
    rig.poll(599, lowestMissing: 1)
    #expect(rig.events() == [])
    rig.poll(600, lowestMissing: 1)
    #expect(rig.events() == ["41"])
    // It comes after all.
    rig.receive(40, packet: 1, at: 700)
    #expect(rig.events() == ["1/0"])
  }

  @Test("a sender that restarts with other numbers is heard at once")
  func restart() {
    var rig = Rig(isReliable: true, isOrdered: true)
    for number: UInt32 in [10, 12, 3_000_000, 3_000_001] { rig.receive(number, at: 0) }
    #expect(rig.events() == ["10", "1/1", "12", "3000000", "3000001"])
  }

  @Test("a user that leaves takes nothing along")
  func leaving() {
    var rig = Rig(isReliable: true, isOrdered: true)
    for number: UInt32 in [10, 12] { rig.receive(number, at: 0) }
    rig.receiver.remove(7)
    #expect(rig.events() == ["10", "1/1", "12"])
    rig.receive(1, at: 10)
    #expect(rig.events() == ["1"])
  }

  @Test("messages that wait take 4 MiB at most")
  func memory() {
    var receiver = DataReceiver()
    var delivered = 0
    for uid: UInt32 in 1...200 {
      for number: UInt32 in [1] + Array(3...62) {
        var bytes = [UInt8](repeating: 1, count: DataMessageHeader.byteCount + DataLimits.messageByteCount)
        bytes.withUnsafeMutableBytes {
          DataMessageHeader(uid: uid, stream: 1, isReliable: true, isOrdered: true, number: number).write(to: $0)
        }
        _ = bytes.withUnsafeBytes { receiver.receive($0, packet: 0, lowestMissing: nil, 0) }
      }
      while let event = receiver.takeEvent() { if case .message = event { delivered += 1 } }
    }
    // 200 x 60 messages of 1 KiB would be 12 MiB.
    #expect((200 * 61 - delivered) * 1_024 <= 4 << 20)
  }

  @Test("a malformed message is refused", arguments: [0, 1, 2, 3, 4])
  func malformed(kind: Int) {
    var bytes = [UInt8](repeating: 0, count: DataMessageHeader.byteCount + 1)
    bytes.withUnsafeMutableBytes {
      DataMessageHeader(stream: 1, isReliable: true, isOrdered: true, number: 1).write(to: $0)
    }
    switch kind {
    case 0: bytes.removeLast()
    case 1: bytes += [UInt8](repeating: 0, count: DataLimits.messageByteCount)
    case 2: bytes[0] = 8
    case 3: bytes[1] = 0
    default: bytes[1] = 6
    }
    #expect(bytes.withUnsafeBytes { DataMessageHeader($0) } == nil)
  }
}
