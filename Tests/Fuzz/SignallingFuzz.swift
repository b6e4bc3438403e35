import Signalling

/// Feeds any bytes to the readers of signalling messages. A reader may refuse them, and must not crash. A message that
/// is read is written, and read again as the same message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSignalling(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  do throws(MessageError) {
    if let message = try ClientMessage(reading: text) {
      precondition(message.id > 0)
      let again = try ClientMessage(reading: message.text)
      precondition(again == message)
    }
  } catch { check(error) }
  do throws(MessageError) {
    if let message = try RelayMessage(reading: text) {
      let again = try RelayMessage(reading: message.text)
      precondition(again == message)
      if case .joined(let answer) = message { precondition(answer.split().rest.isEmpty) }
    }
  } catch { check(error) }
  return 0
}

/// Writes the answer to a refused message, which must be read.
private func check(_ error: MessageError) {
  let report = FailureReport(error)
  let again = try! RelayMessage(reading: RelayMessage.failed(report).text)
  precondition(again == .failed(report))
}
