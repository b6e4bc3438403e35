import JSON
import Platform

extension CallMessage {
  /// Reads a message in JSON; unknown fields are ignored.
  ///
  /// - Throws: The fault of a message of another version or shape.
  init(reading text: String) throws(CallMessageFault) {
    guard text.utf8.count <= Self.largestByteCount else {
      throw CallMessageFault("a message has \(text.utf8.count) bytes, of which \(Self.largestByteCount) are allowed")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(text) } catch {
      throw CallMessageFault("a message is not JSON")
    }
    guard case .object(let fields) = value else { throw CallMessageFault("a message is not a JSON object") }
    let reader = FieldReader(fields: JSONFields(fields))
    guard let version = reader.integer("version", in: 0...1_000_000) else {
      throw CallMessageFault("a message has no version")
    }
    guard version == Self.version else {
      throw CallMessageFault("a message has version \(version), and this program knows version \(Self.version) alone")
    }
    callID = try reader.id("callId")
    device = try reader.id("device")
    switch reader.name("type") {
    case "call": body = .call(try reader.invitation())
    case "cancel": body = .cancel(try reader.end())
    case "accept": body = .accept
    case "reject": body = .reject(try reader.end())
    case "hangup": body = .hangup(try reader.end())
    case "taken": body = .taken(device: try reader.id("by"))
    default: throw CallMessageFault("a message has an unknown type")
    }
  }
}

/// Fields of a message with the limits of their values.
private struct FieldReader {
  let fields: JSONFields

  func name(_ key: String) -> String? { fields[key]?.name }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard case .number(let number)? = fields[key], let value = Int(exactly: number), range.contains(value) else {
      return nil
    }
    return value
  }

  /// Returns a text of at most a number of bytes; nil without one.
  func text(_ key: String, atMost byteCount: Int) throws(CallMessageFault) -> String? {
    guard let value = fields[key] else { return nil }
    if case .null = value { return nil }
    guard case .text(let text) = value, text.utf8.count <= byteCount else {
      throw CallMessageFault("the field '\(key)' of a message is not a text of at most \(byteCount) bytes")
    }
    return text
  }

  /// Returns the id of a call or device, which is printed and compared as it is.
  func id(_ key: String) throws(CallMessageFault) -> String {
    guard let id = name(key), !id.isEmpty, id.utf8.allSatisfy(\.isHexadecimalDigit) else {
      throw CallMessageFault("the field '\(key)' of a message is not 1 to 64 hexadecimal digits")
    }
    return id
  }

  func invitation() throws(CallMessageFault) -> CallMessage.Invitation {
    guard let room = try text("room", atMost: 64), ChannelName(room) != nil else {
      throw CallMessageFault("the room of a call is not the name of a channel")
    }
    let type: CallType
    switch name("media") {
    case "audio": type = .audio
    case "video": type = .video
    default: throw CallMessageFault("a call has an unknown kind of media")
    }
    guard let ring = integer("ringMilliseconds", in: 0...3_600_000) else {
      throw CallMessageFault("a call has no time of ringing up to 3600000 ms")
    }
    return CallMessage.Invitation(
      room: room, type: type, ringMilliseconds: ring,
      userExtension: try text("userExtension", atMost: PrepareConfig.largestExtensionByteCount),
      callExtension: try text("callExtension", atMost: PrepareConfig.largestExtensionByteCount))
  }

  func end() throws(CallMessageFault) -> CallMessage.End {
    guard let cause = name("cause").flatMap(CallMessage.Cause.init(rawValue:)) else {
      throw CallMessageFault("the end of a call has an unknown cause")
    }
    return CallMessage.End(cause, try text("reason", atMost: CallMessage.largestReasonByteCount))
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
