import Platform
import WebRTC

/// Feeds any bytes to the reader of STUN, to both agents and to the reader of candidates: they may refuse them, and
/// must neither crash nor read beyond them.
///
/// Random bytes have no integrity code. So the same bytes are also put into the attributes of a check under the
/// session's password, behind a name that the agents take.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSTUN(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  read(bytes)
  give(bytes)
  give(authentic(bytes))
  if let candidate = ICECandidate(parsing: String(decoding: bytes, as: UTF8.self)) {
    precondition(ICECandidate(parsing: candidate.text) == candidate)
    _ = candidate.usableAddress
  }
  return 0
}

private let credentials = ICECredentials(fragment: "abcd", password: "abcdefghijklmnopqrstuv")!
private let source = SocketAddress(host: "192.0.2.1", port: 5000)!

/// Reads everything in a message.
private func read(_ bytes: [UInt8]) {
  guard let message = try? STUNMessageReader(bytes.span) else { return }
  var key = STUNIntegrityKey(password: credentials.password)
  _ = message.hasIntegrity(of: &key)
  _ = (message.priority, message.iceControlling, message.iceControlled, message.errorCode, message.usesCandidate)
  if let address = message.mappedAddress { precondition(!address.description.isEmpty) }
  if let fragment = message.receiverFragment, let name = message.username {
    precondition(fragment.count < name.count && name[fragment.count] == UInt8(ascii: ":"))
  }
  var end = 20
  var next = message.attribute(after: nil)
  while let attribute = next {
    precondition(attribute.offset == end + 4 && attribute.offset + attribute.byteCount <= bytes.count)
    precondition(message.value(of: attribute).count == attribute.byteCount)
    end = attribute.offset + (attribute.byteCount + 3) / 4 * 4
    next = message.attribute(after: attribute)
  }
  precondition(end <= bytes.count)
  rewrite(message)
}

/// Writes a message's values again and reads the same.
private func rewrite(_ message: borrowing STUNMessageReader) {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 9000, alignment: 1)
  defer { memory.deallocate() }
  var writer = try! STUNMessageWriter(message.messageClass, transactionID: message.transactionID, into: memory)
  if let name = message.username { try! writer.append(username: name) }
  if let priority = message.priority { try! writer.append(priority: priority) }
  if let address = message.mappedAddress { try! writer.append(mappedAddress: address) }
  try! writer.appendUnknownAttributes(of: message)
  try! writer.appendFingerprint()
  let copy = Array(memory[..<writer.byteCount])
  let again = try! STUNMessageReader(copy.span)
  precondition(again.priority == message.priority && again.transactionID == message.transactionID)
  precondition(again.mappedAddress == message.mappedAddress?.unmapped && again.hasFingerprint)
}

/// Bytes as attributes of a check that both agents take as the peer's.
private func authentic(_ bytes: [UInt8]) -> [UInt8] {
  var message: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 7, count: 12)
  message += [0, 6, 0, 6] + Array("abcd:x".utf8) + [0, 0]
  message += bytes.prefix(bytes.count / 4 * 4)
  let length = message.count + 24 - 20
  message[2] = UInt8(length >> 8)
  message[3] = UInt8(length & 0xFF)
  let code = MessageDigest.sha1.authenticationCode(of: message.span, key: Array(credentials.password.utf8).span)
  return message + [0, 8, 0, 20] + code
}

/// Gives a datagram to new agents; no response may reach beyond its memory.
private func give(_ bytes: [UInt8]) {
  var lite = ICELiteAgent(credentials)
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ICELiteAgent.replyCapacity, alignment: 1)
  defer { memory.deallocate() }
  for now in 0..<2 {
    let answer = lite.receive(bytes.span, from: source, nowNanoseconds: now, reply: memory)
    precondition(answer.replyByteCount <= memory.count && (answer.isAuthentic || answer.replyByteCount == 0))
    precondition(!answer.isAuthentic || answer.replyByteCount > 0)
  }
  var agent = ICEControllingAgent(
    local: credentials, remote: credentials, isPeerLite: false, candidates: [ICECandidate(source)], nowNanoseconds: 0,
    random: { 0x0707_0707_0707_0707 })
  _ = agent.poll(nowNanoseconds: 0)
  _ = agent.receive(bytes.span, from: source, nowNanoseconds: 1)
  var output = agent.poll(nowNanoseconds: 50_000_000)
  output = agent.receive(bytes.span, from: source, nowNanoseconds: 60_000_000)
  precondition(output.datagrams.count <= 1)
  _ = agent.poll(nowNanoseconds: 100_000_000)
}
