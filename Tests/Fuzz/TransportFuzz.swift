import RTP
import SDP

/// Feeds any bytes to the readers of RTP, RTCP, Opus payloads, RED, key presses and SDP: they may refuse them, and must
/// neither crash nor read beyond them, nor point outside them; and what they accept is written again as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTransport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  _ = DatagramKind(bytes)
  readRTP(bytes)
  readRTCP(bytes)
  readOpus(bytes)
  readSDP(bytes)
  return 0
}

private func readRTP(_ bytes: UnsafeRawBufferPointer) {
  guard let view = try? RTPPacketView(parsing: bytes) else { return }
  precondition(view.payloadOffset >= 12 && view.payloadByteCount >= 0)
  precondition(view.payloadOffset + view.payloadByteCount + view.paddingByteCount == bytes.count)
  for index in 0..<view.contributingSourceCount { _ = view.contributingSource(index, in: bytes) }
  for identifier in [1, 5, 15, 255] as [UInt8] { _ = try? view.audioLevel(identifier: identifier, in: bytes) }
  copyExtension(view, bytes)
  let payload = UnsafeRawBufferPointer(rebasing: bytes[view.payloadRange])
  readOpus(payload)
  _ = TelephoneEvent(parsing: payload)
  if let newest = REDPayload(parsing: payload) {
    precondition(newest.offset > 0 && newest.offset < payload.count && newest.payloadType < 128)
  }
}

/// Writes the extension's elements into another packet, which must have the same ones.
private func copyExtension(_ view: RTPPacketView, _ bytes: UnsafeRawBufferPointer) {
  let form: HeaderExtensionForm = view.extensionProfile == 0xBEDE ? .oneByte : .twoByte
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 20, alignment: 1)
  defer { memory.deallocate() }
  var writer = try! RTPPacketWriter(view.header, extensionForm: form, into: memory)
  var elements: [[UInt8]] = []
  var reader = HeaderExtensionReader(view, in: bytes)
  while let element = try? reader.next() {
    precondition(element.offset >= view.extensionOffset && element.offset + element.byteCount <= view.payloadOffset)
    let data = UnsafeRawBufferPointer(rebasing: bytes[element.offset..<(element.offset + element.byteCount)])
    try! writer.append(data, identifier: element.identifier)
    elements.append([element.identifier] + data)
  }
  let end = try! writer.endHeader()
  let copy = UnsafeRawBufferPointer(start: memory.baseAddress, count: end)
  let copied = try! RTPPacketView(parsing: copy)
  precondition(copied.header == view.header && copied.payloadByteCount == 0)
  var second = HeaderExtensionReader(copied, in: copy)
  for expected in elements {
    let element = try! second.next()!
    precondition([element.identifier] + copy[element.offset..<(element.offset + element.byteCount)] == expected)
  }
  precondition(try! second.next() == nil)
}

private func readRTCP(_ bytes: UnsafeRawBufferPointer) {
  guard var reader = try? RTCPReader(bytes) else { return }
  var total = 0
  while let packet = reader.next() {
    precondition(packet.bytes.count >= 4 && packet.bytes.count % 4 == 0)
    total += packet.bytes.count
    readReports(packet)
    for index in -1...packet.count { _ = try? packet.leavingSSRC(index) }
    if let reason = try? packet.leavingReason() { _ = reason.reduce(0, ^) }
    _ = try? packet.nackedSSRC()
    if let count = try? packet.nackPairCount() {
      for index in 0..<count {
        let pair = try! packet.nackPair(index)
        precondition((0...16).count { pair.sequenceNumber($0) != nil } == pair.packetCount)
      }
    }
    guard var items = try? SourceDescriptionReader(packet) else { continue }
    while let item = try? items.next() { _ = item.text.reduce(0, ^) }
  }
  precondition(total <= bytes.count)
}

/// Blocks of a report, written again into the same bytes.
private func readReports(_ packet: RTCPPacketView) {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.bytes.count, alignment: 1)
  defer { memory.deallocate() }
  var writer = RTCPWriter(into: memory)
  switch packet.type {
  case .senderReport:
    guard let report = try? packet.senderReport() else { return }
    try! writer.append(report)
  case .receiverReport:
    guard let ssrc = try? packet.senderSSRC() else { return }
    try! writer.appendReceiverReport(ssrc: ssrc)
  default: return
  }
  for index in 0..<packet.count {
    guard let block = try? packet.reportBlock(index) else { return }
    try! writer.append(block)
  }
  // What follows the blocks is a profile's own, and the length counts it.
  precondition(memory[4..<writer.byteCount].elementsEqual(packet.bytes[4..<writer.byteCount]))
}

private func readOpus(_ bytes: UnsafeRawBufferPointer) {
  guard let payload = try? OpusPayload(parsing: bytes) else { return }
  precondition((120...5760).contains(payload.samplesPerChannel) && (1...48).contains(payload.frameCount))
  precondition(payload.paddingByteCount < bytes.count)
}

private func readSDP(_ bytes: UnsafeRawBufferPointer) {
  guard let description = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
  let again = try! SessionDescription(parsing: description.text)
  precondition(again == description)
}
