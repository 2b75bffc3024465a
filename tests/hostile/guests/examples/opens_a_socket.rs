//! Opens a socket.

twiceshy_hostile::guest!("opens-a-socket", || {
    let stream = std::net::TcpStream::connect("127.0.0.1:80").expect("a connection");
    format!("{stream:?}")
});
