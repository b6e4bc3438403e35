import Platform

/// A client for the log: its address, and the texts of its `hello`.
struct ClientDescription {
  let address: SocketAddress
  var info: String?
  var software: String?
}
