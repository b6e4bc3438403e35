import Platform

@testable import WebRTC

/// Messages that tests send and look into.
enum ICEMessages {
  static let transaction = STUNTransactionID(high: 1, low: 2)

  /// Writes a message by a closure; nil for no integrity.
  static func make(
    _ messageClass: STUNMessageClass = .request, transaction: STUNTransactionID = transaction, password: String?,
    fingerprint: Bool = true, _ body: (inout STUNMessageWriter) throws(STUNError) -> Void
  ) throws -> [UInt8] {
    var memory = [UInt8](repeating: 0xAA, count: 1500)
    let count = try memory.withUnsafeMutableBytes { memory in
      var writer = try STUNMessageWriter(messageClass, transactionID: transaction, into: memory)
      try body(&writer)
      if let password {
        var key = STUNIntegrityKey(password: password)
        try writer.appendIntegrity(&key)
      }
      if fingerprint { try writer.appendFingerprint() }
      return writer.byteCount
    }
    return Array(memory[..<count])
  }

  /// A check of a controlling peer.
  static func check(
    _ transaction: STUNTransactionID = transaction, to receiver: ICECredentials, name: String? = nil,
    isNominating: Bool = false, password: String? = nil
  ) throws -> [UInt8] {
    try make(transaction: transaction, password: password ?? receiver.password) { writer throws(STUNError) in
      try writer.append(username: Array((name ?? receiver.fragment + ":peer").utf8).span)
      try writer.append(priority: 77)
      try writer.append(iceControlling: 99)
      if isNominating { try writer.appendUseCandidate() }
    }
  }

  /// An attribute that the writer does not know, put behind the header; the code and the fingerprint are written anew.
  static func inserting(_ attribute: [UInt8], into message: [UInt8], password: String) throws -> [UInt8] {
    var body = Array(message.dropLast(32))
    body.insert(contentsOf: attribute, at: 20)
    var memory = body + [UInt8](repeating: 0, count: 32)
    var key = STUNIntegrityKey(password: password)
    var code = STUNIntegrityKey.Code(repeating: 0)
    key.writeCode(of: body.span, count: body.count, into: &code)
    memory.replaceSubrange(body.count..<(body.count + 4), with: [0, 8, 0, 20])
    for index in 0..<20 { memory[body.count + 4 + index] = code[index] }
    memory[2] = UInt8((memory.count - 20) >> 8)
    memory[3] = UInt8((memory.count - 20) & 0xFF)
    let end = memory.count - 8
    let check = CRC32.checksum(memory.span, count: end) ^ 0x5354_554E
    memory.replaceSubrange(
      end..., with: [0x80, 0x28, 0, 4] + (0..<4).map { UInt8(truncatingIfNeeded: check >> UInt32(24 - 8 * $0)) })
    return memory
  }

  static func address(_ host: String = "192.0.2.1", _ port: UInt16 = 5000) -> SocketAddress {
    SocketAddress(host: host, port: port)!
  }
}

/// A message's parts that outlive its bytes.
struct ReadMessage: Equatable {
  let messageClass: STUNMessageClass
  let transactionID: STUNTransactionID
  let errorCode: Int?
  let mappedAddress: SocketAddress?
  let username: String?
  let isNominating: Bool
  let isControlling: Bool
  let tieBreaker: UInt64?
  let priority: UInt32?
  let isAuthentic: Bool
  let hasFingerprint: Bool
  let unknownAttributes: [UInt8]?

  init(_ bytes: [UInt8], password: String) throws {
    let reader = try STUNMessageReader(bytes.span)
    var key = STUNIntegrityKey(password: password)
    messageClass = reader.messageClass
    transactionID = reader.transactionID
    errorCode = reader.errorCode
    mappedAddress = reader.mappedAddress
    username = reader.attribute(.username).map { text in
      String(decoding: bytes[text.offset..<(text.offset + text.byteCount)], as: UTF8.self)
    }
    isNominating = reader.usesCandidate
    isControlling = reader.iceControlling != nil
    tieBreaker = reader.iceControlling ?? reader.iceControlled
    priority = reader.priority
    isAuthentic = reader.hasIntegrity(of: &key)
    hasFingerprint = reader.hasFingerprint
    unknownAttributes = reader.attribute(.unknownAttributes).map {
      Array(bytes[$0.offset..<($0.offset + $0.byteCount)])
    }
  }
}
