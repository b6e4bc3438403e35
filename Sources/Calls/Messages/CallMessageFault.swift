/// Fault of a message, in a sentence without text of its sender.
struct CallMessageFault: Error, Hashable {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
