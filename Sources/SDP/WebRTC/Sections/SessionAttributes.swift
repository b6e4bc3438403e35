/// Attributes of a description's session part that apply to its sections, unless they have their own.
struct SessionAttributes {
  var transport = TransportLines()
  var direction = MediaDirection.sendAndReceive
  var headerExtensions: [HeaderExtensionMapping] = []
  var bundles: [[String]] = []
  var isLite = false

  init(_ lines: ArraySlice<SDPLine>) throws(SDPError) {
    for line in lines {
      try transport.read(line)
      switch line.attribute {
      case "group":
        let words = SDPLine.words(of: line.attributeValue)
        if words.first == "BUNDLE", words.count > 1 { bundles.append(words.dropFirst().map(String.init)) }
      case "ice-lite": isLite = true
      case "extmap":
        if let mapping = HeaderExtensionMapping(text: line.attributeValue) { headerExtensions.append(mapping) }
      default: if let direction = line.direction { self.direction = direction }
      }
    }
  }
}
