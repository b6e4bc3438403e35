/// Length of an MP3 file from its first frame, if that has one of the headers with a length. Zeros or junk may stand
/// before it.
///
/// Source: ID3 2.3; the headers of Xing (Info, with a constant bit rate) and of Fraunhofer (VBRI).
struct MP3Length {
  /// End of the last frame, in bytes from the file's beginning; nil if the header does not have it.
  let end: Int?

  /// Creates the length; nil if there is no such header.
  init?(of input: InputDescriptor) {
    let first = MPEGFrame.first(of: input)
    let head = input.bytes(first..<first + 4_096)
    func place(of mark: String) -> Int? {
      head.indices.dropLast(16).first { head[$0..<$0 + 4].elementsEqual(mark.utf8) }
    }
    func number(at place: Int) -> Int { head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    if let mark = place(of: "Xing") ?? place(of: "Info") {
      // Flags of the fields that follow: frames and bytes, in this order.
      let fields = head[mark + 7]
      end = fields & 2 != 0 ? first + number(at: mark + (fields & 1 != 0 ? 12 : 8)) : nil
    } else if let mark = place(of: "VBRI") {
      end = first + number(at: mark + 10)
    } else {
      return nil
    }
  }
}
